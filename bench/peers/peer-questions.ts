/** The same questions to both, as their dashboards ask them. */
import { UMAMI_WEBSITE } from '../reports/umami-baseline.ts';

const DAY_MS = 86_400_000;

export interface PeerQuestion {
  name: string;
  /** Paths below each one's address. */
  ours: string;
  umami: string;
}

/** Umami's word for each of our lists. */
const LISTS = {
  pages: 'path',
  'entry-pages': 'entry',
  'exit-pages': 'exit',
  sources: 'referrer',
  countries: 'country',
  regions: 'region',
  devices: 'device',
  browsers: 'browser',
  'operating-systems': 'os',
  languages: 'language',
  hostnames: 'hostname',
  events: 'event',
};
const FILTER = { ours: 'filter_country=DE', umami: 'country=DE' };

/** `days` whole days that end with `today`, both as epoch milliseconds of the start of a UTC day. */
export function peerQuestions(
  siteId: string,
  { today, days }: { today: number; days: number },
): PeerQuestion[] {
  const first = today - (days - 1) * DAY_MS;
  const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);
  const ours = (report: string, query = ''): string =>
    `/api/v1/sites/${siteId}/analytics/${report}?from=${dateOf(first)}&to=${dateOf(today)}${query}`;
  const umami = (endpoint: string, query = ''): string =>
    `/api/websites/${UMAMI_WEBSITE}/${endpoint}?startAt=${first}&endAt=${today + DAY_MS - 1}&unit=day&timezone=UTC${query}`;
  const both = (suffix: string, own: string, theirs: string): PeerQuestion[] => [
    // Umami's figures always bring those of the days before.
    {
      name: `overview${suffix}`,
      ours: ours('overview', `&compare=previous${own}`),
      umami: umami('stats', theirs),
    },
    {
      name: `timeseries by day${suffix}`,
      ours: ours('timeseries', `&interval=day${own}`),
      umami: umami('pageviews', theirs),
    },
    ...Object.entries(LISTS).map(([list, type]) => ({
      name: list + suffix,
      ours: ours(list, `&limit=10${own}`),
      umami: umami('metrics', `&type=${type}&limit=10${theirs}`),
    })),
  ];
  return [...both('', '', ''), ...both(', one country', `&${FILTER.ours}`, `&${FILTER.umami}`)];
}
