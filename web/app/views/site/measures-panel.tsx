import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Suspense } from 'preact/compat';
import type { EngagementItem } from '../../api/operations.generated.ts';
import { isWithheld, useReader } from '../../api/reader.ts';
import { duration, exact, percent } from '../../format.ts';
import { lazyView } from '../../lazy-view.tsx';
import { Failure } from '../../parts/failure.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import { type Asked, type Filter, readSegment } from '../../state/site-query.ts';
import { useTab } from '../../state/use-parameter.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { observedIn } from './change.tsx';
import { ChangeBeside, KeepingCell } from './measure-cells.tsx';
import { useCompare } from './use-overview.ts';
import { useSegments } from './use-segments.ts';

const Vitals = lazyView(() => import('./vitals.tsx'));

const ROWS = 9;

const MEASURES = ['engagement', 'vitals'] as const;

/** What was measured of each page: how it is read, and how fast it is. Attention knows pages and tiers, and no other filter. */
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
        <h2 class="unseen">{words.panels[name]}</h2>
        <TabList
          label={words.measures.label}
          names={shown}
          chosen={name}
          textOf={(one) => words.panels[one]}
          onChoose={choose}
        />
      </header>
      {name === 'vitals' ? (
        <Suspense fallback={<div class="rows empty" />}>
          <Vitals asked={asked} />
        </Suspense>
      ) : others.length > 0 ? (
        <div class="rows empty">{words.measures.onlyPages}</div>
      ) : (
        <Attention asked={asked} />
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

function Attention({ asked }: { asked: Asked }) {
  const reader = useReader();
  const compare = useCompare(asked);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['measures', reader.key, 'engagement', asked, compare],
    queryFn: () => reader.report<EngagementItem[] | null>('engagement', asked, { limit: ROWS, compare }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  const rows = data?.data ?? [];
  if (data && rows.length === 0)
    return <div class="rows empty">{isWithheld(data.meta) ? words.share.tooFewText : words.empty.none}</div>;
  const isCompared = data !== undefined && observedIn(data.meta) !== undefined;
  /** Undefined: not compared; null: not measured in the other range. */
  const before = (value: number | null | undefined) => (isCompared ? (value ?? null) : undefined);
  return (
    <div class={isPlaceholderData ? 'rows measures dimmed' : 'rows measures'} aria-busy={data === undefined}>
      {data === undefined && <span class="unseen">{words.loading}</span>}
      <table>
        <thead>
          <tr>
            <th>{words.panels.pages}</th>
            {(['seconds', 'scroll'] as const).map((column) => (
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
              <KeepingCell dimension="page" value={row.path} />
              <td class="number">
                {duration(row.seconds)}
                <ChangeBeside now={row.seconds} before={before(row.previous?.seconds)} />
              </td>
              <td class="number">
                {percent(row.scrollDepth, 0)}
                <ChangeBeside now={row.scrollDepth} before={before(row.previous?.scrollDepth)} />
              </td>
              <td class="number soft">{exact(row.measured)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
