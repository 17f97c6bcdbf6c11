import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import type { EngagementItem, VitalsItem } from '../../api/operations.generated.ts';
import { isWithheld, useReader } from '../../api/reader.ts';
import { duration, exact, milliseconds, percent, rate } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import { type Asked, type Filter, readSegment, withFilter } from '../../state/site-query.ts';
import { useTab } from '../../state/use-parameter.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { Change, observedIn } from './change.tsx';
import { useCompare } from './use-overview.ts';
import { useSegments } from './use-segments.ts';

const ROWS = 9;

/** Web vitals are good up to the first bound, and poor beyond the second (https://web.dev/articles/vitals). */
const BOUNDS = { lcp: [2500, 4000], inp: [200, 500], cls: [0.1, 0.25] } as const;
type Vital = keyof typeof BOUNDS;
const VITALS = ['lcp', 'inp', 'cls'] as const;
const RATING_CLASSES = { good: 'rated good', middling: 'rated middling', poor: 'rated poor' } as const;

function ratingOf(vital: Vital, value: number): keyof typeof RATING_CLASSES {
  const [good, poor] = BOUNDS[vital];
  return value <= good ? 'good' : value <= poor ? 'middling' : 'poor';
}

const MEASURES = ['engagement', 'vitals'] as const;

/** What was measured of each page: how it is read, and how fast it is. These reports know pages and tiers, and no other filter. */
export function MeasuresPanel({ asked }: { asked: Asked }) {
  const { shows } = useReader();
  const { query } = useSiteQuery();
  const shown = MEASURES.filter((name) => shows?.includes(name) ?? true);
  const [name, choose] = useTab('measures', shown);
  if (name === undefined) return null;
  const segment = useSegmentFilters(asked);
  const others = [...query.filters, ...segment].filter(
    ({ dimension }) => dimension !== 'page' && dimension !== 'privacy_tier',
  );
  return (
    <section class="card panel" aria-label={words.panels[name]}>
      <header>
        <h2>{words.panels[name]}</h2>
        <TabList
          label={words.measures.label}
          names={shown}
          chosen={name}
          textOf={(one) => words.panels[one]}
          onChoose={choose}
        />
      </header>
      {others.length > 0 ? (
        <div class="rows empty">{words.measures.onlyPages}</div>
      ) : (
        <Measures name={name} asked={asked} />
      )}
    </section>
  );
}

/** The filters of the page's segment, if it has one. */
function useSegmentFilters({ siteId, segment }: Asked): Filter[] {
  const { data } = useSegments(siteId, segment !== undefined);
  const filters = data?.data.find(({ id }) => id === segment)?.filters;
  return filters === undefined ? [] : readSegment(filters);
}

function Measures({ name, asked }: { name: (typeof MEASURES)[number]; asked: Asked }) {
  const reader = useReader();
  const compare = useCompare();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['measures', reader.key, name, asked, compare],
    queryFn: () =>
      reader.report<(EngagementItem | VitalsItem)[] | null>(name, asked, { limit: ROWS, compare }),
    placeholderData: (before, queryBefore) =>
      queryBefore?.queryKey[2] === name ? keepPreviousData(before) : undefined,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  const rows = data?.data ?? [];
  if (data && rows.length === 0)
    return <div class="rows empty">{isWithheld(data.meta) ? words.share.tooFewText : words.empty.none}</div>;
  const isCompared = data !== undefined && observedIn(data.meta) !== undefined;
  /** Undefined: not compared; null: not measured in the other range. */
  const before = (value: number | null | undefined) => (isCompared ? (value ?? null) : undefined);
  const columns = name === 'vitals' ? VITALS : (['seconds', 'scroll'] as const);
  return (
    <div class={isPlaceholderData ? 'rows measures dimmed' : 'rows measures'} aria-busy={data === undefined}>
      {data === undefined && <span class="unseen">{words.loading}</span>}
      <table>
        <thead>
          <tr>
            <th>{words.panels.pages}</th>
            {columns.map((column) => (
              <th key={column} class="number" title={words.measures.long[column]}>
                {words.measures.columns[column]}
              </th>
            ))}
            <th class="number">{words.measures.measured}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.path}>
              <PageCell path={row.path} />
              {'seconds' in row ? (
                <>
                  <td class="number">
                    {duration(row.seconds)}
                    <ChangeBeside now={row.seconds} before={before(row.previous?.seconds)} />
                  </td>
                  <td class="number">
                    {percent(row.scrollDepth, 0)}
                    <ChangeBeside now={row.scrollDepth} before={before(row.previous?.scrollDepth)} />
                  </td>
                </>
              ) : (
                VITALS.map((vital) => (
                  <VitalCell
                    key={vital}
                    vital={vital}
                    value={row[vital]}
                    before={before(row.previous?.[vital])}
                    show={vital === 'cls' ? rate : milliseconds}
                  />
                ))
              )}
              <td class="number soft">{exact(row.measured)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How a figure differs from that of the other range, if there is one. */
const ChangeBeside = ({
  before,
  ...change
}: {
  now: number;
  before: number | null | undefined;
  lessIsBetter?: boolean;
}) =>
  before === undefined ? null : (
    <small>
      <Change {...change} before={before} />
    </small>
  );

function PageCell({ path }: { path: string }) {
  const { query, hrefOf } = useSiteQuery();
  return (
    <td>
      <Link
        href={hrefOf(withFilter(query, { dimension: 'page', operator: 'is', values: [path] }))}
        aria-label={words.filters.only(path)}
        title={path}
      >
        {path}
      </Link>
    </td>
  );
}

function VitalCell({
  vital,
  value,
  before,
  show,
}: {
  vital: Vital;
  value: number | null;
  before: number | null | undefined;
  show: (value: number) => string;
}) {
  if (value === null)
    return (
      <td class="number soft" title={words.chart.notObserved}>
        –
      </td>
    );
  const rating = ratingOf(vital, value);
  return (
    <td class="number">
      <span class={RATING_CLASSES[rating]} title={words.measures.ratings[rating]}>
        {show(value)}
      </span>
      <ChangeBeside now={value} before={before} lessIsBetter />
    </td>
  );
}
