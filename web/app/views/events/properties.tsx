import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { getEventProps, getPageProps } from '../../api/operations.generated.ts';
import { exact } from '../../format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { More, usePages } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { type Asked, byProperty, withFilter } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { goalWords } from '../../words/goals.ts';
import { words } from '../../words/index.ts';

const KEYS = 100;
const VALUES = 50;

interface PropertiesProps {
  asked: Asked;
  /** The event's name; of page views without one. */
  event?: string;
}

interface Part {
  key?: string;
  limit: number;
  cursor?: string;
}

/** Asks for the properties of an event, or of page views. `times`: how often each came. */
async function askProps({ asked, event }: PropertiesProps, part: Part, signal: AbortSignal) {
  if (event === undefined) {
    const { data, meta } = await getPageProps({ ...asked, ...part }, signal);
    return { meta, data: data.map(({ pageviews, previous: _, ...row }) => ({ ...row, times: pageviews })) };
  }
  const { data, meta } = await getEventProps({ ...asked, name: event, ...part }, signal);
  return { meta, data: data.map(({ events, previous: _, ...row }) => ({ ...row, times: events })) };
}

const useKeys = (of: PropertiesProps) =>
  useQuery({
    queryKey: ['property-keys', of.event, of.asked],
    queryFn: ({ signal }) => askProps(of, { limit: KEYS }, signal),
  });

/** The properties of an event, and the values of one of them. */
export function PropertiesDialog(props: PropertiesProps & { event: string; onClose: () => void }) {
  const { onClose, ...of } = props;
  const texts = goalWords.events;
  const { data, error, refetch } = useKeys(of);
  return (
    <Dialog title={texts.open(of.event)} onClose={onClose}>
      <div class="body form">
        {error && <Failure error={error} retry={refetch} />}
        {data === undefined && !error && <p>{words.loading}</p>}
        {data && data.data.length === 0 && <p class="empty">{texts.noProperties}</p>}
        {data && <Properties {...of} keys={data.data} onFollow={onClose} />}
      </div>
    </Dialog>
  );
}

/** The properties of page views, and the values of one of them; nothing if there are none. */
export function PageProperties({ asked }: { asked: Asked }) {
  const { data, error, refetch } = useKeys({ asked });
  if (!error && (data?.data.length ?? 0) === 0) return null;
  return (
    <Section title={goalWords.events.ofPages}>
      {error && <Failure error={error} retry={refetch} />}
      {data && <Properties asked={asked} keys={data.data} />}
    </Section>
  );
}

interface Follow {
  /** A link to what a value chooses was clicked. */
  onFollow?: () => void;
}

function Properties({
  keys,
  onFollow,
  ...of
}: PropertiesProps & Follow & { keys: { key: string; times: number }[] }) {
  const [chosen, setChosen] = useState<string | undefined>();
  const key = keys.some((one) => one.key === chosen) ? chosen : keys[0]?.key;
  if (key === undefined) return null;
  return (
    <>
      <div class="tabs" role="tablist" aria-label={goalWords.events.property}>
        {keys.map((one) => (
          <button
            key={one.key}
            type="button"
            role="tab"
            aria-selected={one.key === key}
            onClick={() => setChosen(one.key)}
          >
            {one.key} <span class="soft">{exact(one.times)}</span>
          </button>
        ))}
      </div>
      <Values key={key} {...of} property={key} {...(onFollow && { onFollow })} />
    </>
  );
}

function Values({ property, onFollow, ...of }: PropertiesProps & Follow & { property: string }) {
  const { query, hrefOf } = useSiteQuery();
  const { rows, error, refetch, ...pages } = usePages(
    ['property-values', of.event, property, of.asked],
    (part, signal) => askProps(of, { key: property, limit: VALUES, ...part }, signal),
  );
  if (error) return <Failure error={error} retry={refetch} />;
  return (
    <div class="scrolls" role="tabpanel" aria-label={property}>
      <table class="list-table">
        <thead>
          <tr>
            <th>{goalWords.events.value}</th>
            <th class="number">
              {of.event === undefined ? words.columns.pageviews : goalWords.events.times}
            </th>
            <th class="number">{words.columns.visits}</th>
            <th class="number">{words.columns.visitors}</th>
          </tr>
        </thead>
        <tbody>
          {rows?.map(({ value, times, visits, visitors }) => (
            <tr key={value}>
              <td>
                {value == null ? (
                  <span class="soft">{goalWords.events.unset}</span>
                ) : (
                  <Link
                    href={hrefOf(
                      withFilter(query, {
                        dimension: byProperty(property),
                        operator: 'is',
                        values: [value],
                      }),
                    )}
                    onClick={() => onFollow?.()}
                  >
                    {value}
                  </Link>
                )}
              </td>
              <td class="number">{exact(times)}</td>
              <td class="number">{exact(visits)}</td>
              <td class="number">{exact(visitors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <More of={pages} />
    </div>
  );
}
