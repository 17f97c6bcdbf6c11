import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Suspense } from 'preact/compat';
import { Link } from 'wouter-preact';
import { isWithheld, useReader } from '../../api/reader.ts';
import { compact, exact, percent } from '../../format.ts';
import { lazyView } from '../../lazy-view.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import type { Asked } from '../../state/site-query.ts';
import { withFilter } from '../../state/site-query.ts';
import { useTab } from '../../state/use-parameter.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { Change, observedIn } from './change.tsx';
import { type List, type ListRow, type PanelOf, rowsOf, shownLists } from './panels.ts';
import { useCompare, useOverview } from './use-overview.ts';

const ROWS = 9;

const LazyMap = lazyView(() => import('./countries-map.tsx'));

/** A panel with lists of one kind, one of them shown. */
export function ListPanel({ panel: { name, lists }, asked }: { panel: PanelOf; asked: Asked }) {
  const { shows } = useReader();
  const { detailsHref } = useSiteQuery();
  const shown = shownLists(shows, lists);
  // The map draws what the list of countries says.
  const tabs = shown.flatMap((one) =>
    one.dimension === 'country' ? (['country', 'map'] as const) : [one.dimension],
  );
  const [tab, choose] = useTab(name, tabs);
  const list = shown.find((one) => one.dimension === (tab === 'map' ? 'country' : tab));
  if (tab === undefined || list === undefined) return null;
  return (
    <section class="card panel" aria-label={words.panels[name]}>
      <header>
        <h2>{words.panels[name]}</h2>
        <TabList
          label={words.panels[name]}
          names={tabs}
          chosen={tab}
          textOf={(one) => (one === 'map' ? words.panels.map : words.dimensions[one].list)}
          onChoose={choose}
        />
      </header>
      {tab === 'map' ? (
        <Suspense fallback={<Bones />}>
          <LazyMap list={list} asked={asked} />
        </Suspense>
      ) : (
        <Rows list={list} asked={asked} />
      )}
      <Link
        class="button plain"
        href={detailsHref(list.report)}
        aria-label={`${words.details}: ${words.dimensions[list.dimension].list}`}
      >
        {words.details}
      </Link>
    </section>
  );
}

function Rows({ list, asked }: { list: List; asked: Asked }) {
  const overview = useOverview(asked);
  const { query, hrefOf } = useSiteQuery();
  const reader = useReader();
  const compare = useCompare();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['list', reader.key, list.report, asked, compare],
    queryFn: () => reader.report<object[]>(list.report, asked, { limit: ROWS, compare, sort: list.metric }),
    placeholderData: keepPreviousData,
  });
  const rows = rowsOf(data?.data ?? []);
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <Bones />;
  if (rows.length === 0)
    return <div class="rows empty">{isWithheld(data.meta) ? words.share.tooFewText : words.empty.none}</div>;
  const top = Math.max(...rows.map((row) => row[list.metric]));
  const isCompared = observedIn(data.meta) !== undefined;
  return (
    <div class={isPlaceholderData ? 'rows dimmed' : 'rows'}>
      <div class="columns">
        <span>{words.dimensions[list.dimension].list}</span>
        <span>{words.columns[list.metric]}</span>
        <span>{isCompared ? words.sites.sorts.change : '%'}</span>
      </div>
      {rows.map((row) => (
        <Row
          key={row.value}
          {...{ list, row, top, isCompared }}
          all={overview.data?.data[list.metric]}
          hrefOf={(operator) =>
            hrefOf(withFilter(query, { dimension: list.dimension, operator, values: [row.value] }))
          }
        />
      ))}
    </div>
  );
}

interface RowProps {
  list: List;
  row: ListRow;
  /** The largest figure of a row. */
  top: number;
  /** The whole site's figure; undefined until it is known. */
  all: number | undefined;
  isCompared: boolean;
  /** The page with the filter that keeps the row, or leaves it out. */
  hrefOf: (operator: 'is' | 'not') => string;
}

function Row({ list, row, top, all, isCompared, hrefOf }: RowProps) {
  const shown = list.show?.(row.value) ?? row.value;
  const figure = row[list.metric];
  return (
    <div class="row">
      <div class="name">
        <span class="bar" style={{ width: `${(100 * figure) / top}%` }} />
        <Link href={hrefOf('is')} title={shown} aria-label={words.filters.only(shown)}>
          {shown}
        </Link>
        <Link href={hrefOf('not')} class="except" aria-label={words.filters.exclude(shown)}>
          <Icon name="except" />
        </Link>
      </div>
      <div class="numbers">
        <span title={exact(figure)}>{compact(figure)}</span>
        {isCompared ? (
          <Change now={figure} before={row.previous?.[list.metric]} />
        ) : (
          <span class="soft">{all && figure <= all ? percent((100 * figure) / all, 0) : ''}</span>
        )}
      </div>
    </div>
  );
}

const Bones = () => (
  <div class="rows bones" aria-busy="true">
    <span class="unseen">{words.loading}</span>
  </div>
);
