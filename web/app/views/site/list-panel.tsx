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
import { type List, type ListRow, type PanelOf, rowsOf, shownLists, weightOf } from './panels.ts';
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
    one.name === 'countries' ? (['countries', 'map'] as const) : [one.name],
  );
  const [tab, choose] = useTab(name, tabs);
  const list = shown.find((one) => one.name === (tab === 'map' ? 'countries' : tab));
  if (tab === undefined || list === undefined) return null;
  return (
    <section class="card panel" aria-label={words.panels[name]}>
      <header>
        <h2>{words.panels[name]}</h2>
        <TabList
          label={words.panels[name]}
          names={tabs}
          chosen={tab}
          textOf={(one) => words.panels[one]}
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
        aria-label={`${words.details}: ${words.panels[list.name]}`}
      >
        {words.details}
      </Link>
    </section>
  );
}

function Rows({ list, asked }: { list: List; asked: Asked }) {
  const overview = useOverview(asked);
  const reader = useReader();
  const compare = useCompare();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['list', reader.key, list.report, asked, compare],
    queryFn: () => reader.report<object[]>(list.report, asked, { limit: ROWS, compare }),
    placeholderData: keepPreviousData,
  });
  const rows = rowsOf(data?.data ?? []);
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <Bones />;
  if (rows.length === 0)
    return <div class="rows empty">{isWithheld(data.meta) ? words.share.tooFewText : words.empty.none}</div>;
  const top = Math.max(...rows.map(weightOf));
  const isCompared = observedIn(data.meta) !== undefined;
  return (
    <div class={isPlaceholderData ? 'rows dimmed' : 'rows'}>
      <div class="columns">
        <span>{words.panels[list.name]}</span>
        <span>
          {rows.some(({ visitors }) => visitors > 0) ? words.columns.visitors : words.columns.pageviews}
        </span>
        <span>{isCompared ? words.sites.sorts.change : '%'}</span>
      </div>
      {rows.map((row) => (
        <Row key={row.value} {...{ list, row, top, isCompared }} all={overview.data?.data.visitors} />
      ))}
    </div>
  );
}

/** What the row weighed in the other range, by the same measure. */
const weighedAs = ({ visitors, previous }: ListRow): number | undefined =>
  previous?.[visitors > 0 ? 'visitors' : 'pageviews'];

interface RowProps {
  list: List;
  row: ListRow;
  /** The largest weight of a row. */
  top: number;
  /** All visitors; undefined until they are known. */
  all: number | undefined;
  isCompared: boolean;
}

function Row({ list, row, top, all, isCompared }: RowProps) {
  const { query, hrefOf } = useSiteQuery();
  const shown = list.show?.(row.value) ?? row.value;
  const weight = weightOf(row);
  const filtered = (operator: 'is' | 'not'): string =>
    hrefOf(withFilter(query, { dimension: list.dimension, operator, values: [row.value] }));
  return (
    <div class="row">
      <div class="name">
        <span class="bar" style={{ width: `${(100 * weight) / top}%` }} />
        <Link href={filtered('is')} title={shown} aria-label={words.filters.only(shown)}>
          {shown}
        </Link>
        <Link href={filtered('not')} class="except" aria-label={words.filters.exclude(shown)}>
          <Icon name="except" />
        </Link>
      </div>
      <div class="numbers">
        <span title={exact(weight)}>{compact(weight)}</span>
        {isCompared ? (
          <Change now={weight} before={weighedAs(row)} />
        ) : (
          <span class="soft">{all && row.visitors <= all ? percent((100 * row.visitors) / all, 0) : ''}</span>
        )}
      </div>
    </div>
  );
}

const Bones = () => (
  <div class="rows" aria-busy="true">
    <span class="unseen">{words.loading}</span>
    {Array.from({ length: ROWS }, (_, index) => (
      <div key={index} class="row">
        <div class="bone" style={{ width: `${90 - 8 * index}%`, height: '1.5rem' }} />
      </div>
    ))}
  </div>
);
