import { useQuery } from '@tanstack/preact-query';
import { getEventProps, getEvents, getPageProps } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';

/** The properties of this number of events, the most frequent ones, are known. */
const EVENTS = 8;
const SUGGESTED = 50;

/** What a property is called, or a value of it. */
interface Known {
  value: string;
  visits: number;
}

/**
 * The names of the properties that the site's page views and most frequent events had in the last 90 days; with `key`, the values of this one.
 * The first ones are the most frequent. Empty for readers of shares.
 */
export function useProperties(key: string | undefined, enabled: boolean): readonly Known[] {
  const { key: siteId, shows } = useReader();
  const { data } = useQuery({
    queryKey: ['properties', siteId, key],
    queryFn: ({ signal }) => readProperties(siteId, key, signal),
    enabled: enabled && shows === undefined,
  });
  return data ?? [];
}

async function readProperties(
  siteId: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<Known[]> {
  const asked = { siteId, period: '90d', limit: SUGGESTED, ...(key !== undefined && { key }) } as const;
  const [ofPages, events] = await Promise.all([
    getPageProps(asked, signal),
    getEvents({ siteId, period: '90d', limit: EVENTS }, signal),
  ]);
  const ofEvents = await Promise.all(
    events.data.map(({ name }) => getEventProps({ ...asked, name }, signal)),
  );
  const found = new Map<string, number>();
  const rows: readonly { key: string; value: string | null; visits: number }[] = [
    ...ofPages.data,
    ...ofEvents.flatMap(({ data }) => data),
  ];
  for (const row of rows) {
    const value = key === undefined ? row.key : row.value;
    // A visit may have it by several events: the most that one of them had is a floor.
    if (value !== null) found.set(value, Math.max(found.get(value) ?? 0, row.visits));
  }
  return [...found].map(([value, visits]) => ({ value, visits })).sort((a, b) => b.visits - a.visits);
}
