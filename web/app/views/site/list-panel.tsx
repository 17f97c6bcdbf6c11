import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Suspense } from 'preact/compat';
import { Link } from 'wouter-preact';
import { isWithheld, type Sort, useReader } from '../../api/reader.ts';
import { columnPercent, count, exact, percent } from '../../format.ts';
import { lazyView } from '../../lazy-view.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import { ToolLink } from '../../parts/tool.tsx';
import { type Asked, chosenGoal, withFilter, withoutGoal } from '../../state/site-query.ts';
import { useTab } from '../../state/use-parameter.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { Change, observedIn } from './change.tsx';
import { type List, type ListRow, type PanelOf, rowsOf, shownLists } from './panels.ts';
import { RowSign } from './row-sign.tsx';
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
  const plain = tabs.filter((one) => !isOfCampaign(one));
  return (
    <section class="card panel" aria-label={words.panels[name]}>
      <header>
        <h2 class="unseen">{words.panels[name]}</h2>
        <TabList
          label={words.panels[name]}
          names={plain}
          chosen={tab}
          textOf={textOf}
          onChoose={(index) => choose(tabs.indexOf(plain[index] ?? tab))}
        />
        <CampaignMenu
          names={tabs.filter(isOfCampaign)}
          chosen={tab}
          onChoose={(one) => choose(tabs.indexOf(one))}
        />
        <ToolLink
          icon="enlarge"
          href={detailsHref(list.report)}
          title={words.details}
          name={`${words.details}: ${words.dimensions[list.dimension].list}`}
        />
      </header>
      {tab === 'map' ? (
        <Suspense fallback={<Bones />}>
          <LazyMap list={list} asked={asked} />
        </Suspense>
      ) : (
        <Rows list={list} asked={asked} />
      )}
    </section>
  );
}

type Tab = List['dimension'] | 'map';

const textOf = (tab: Tab): string => (tab === 'map' ? words.panels.map : words.dimensions[tab].list);

/** What a link to the site was tagged with. Together they are one of the ways that people came. */
const isOfCampaign = (tab: Tab): boolean => tab.startsWith('utm_');

interface CampaignMenuProps {
  names: readonly Tab[];
  chosen: Tab;
  onChoose: (name: Tab) => void;
}

function CampaignMenu({ names, chosen, onChoose }: CampaignMenuProps) {
  if (names.length === 0) return null;
  const isChosen = names.includes(chosen);
  const { campaigns } = words.panels;
  return (
    <Menu
      plain
      name={isChosen ? `${campaigns}: ${textOf(chosen)}` : campaigns}
      label={<span class={isChosen ? 'chosen' : undefined}>{isChosen ? textOf(chosen) : campaigns}</span>}
    >
      {(close) =>
        names.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={name === chosen ? 'true' : undefined}
            onClick={() => {
              close();
              onChoose(name);
            }}
          >
            {textOf(name)}
          </button>
        ))
      }
    </Menu>
  );
}

function Rows({ list, asked }: { list: List; asked: Asked }) {
  const overview = useOverview(asked);
  const { query, hrefOf } = useSiteQuery();
  const reader = useReader();
  const compare = useCompare(asked);
  const goal = chosenGoal(query);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['list', reader.key, list.report, asked, compare],
    queryFn: async () => ({
      goal,
      ...(await (goal === undefined
        ? reader.report<object[]>(list.report, asked, { limit: ROWS, compare, sort: list.metric })
        : reader.report<object[]>(list.report, withoutGoal(asked), {
            ...{ limit: ROWS, compare, goal, sort: 'conversions' },
          }))),
    }),
    placeholderData: keepPreviousData,
  });
  // While others are loaded, the last rows keep their own columns.
  const isOfGoal = data?.goal !== undefined;
  const metric = isOfGoal ? 'conversions' : list.metric;
  const rows = rowsOf(data?.data ?? []);
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <Bones />;
  if (rows.length === 0)
    return <div class="rows empty">{isWithheld(data.meta) ? words.share.tooFewText : words.empty.none}</div>;
  const top = Math.max(1, ...rows.map((row) => row[metric] ?? 0));
  const isCompared = observedIn(data.meta) !== undefined;
  return (
    <div class={isPlaceholderData ? 'rows dimmed' : 'rows'}>
      <div class="columns">
        <span>
          <span class="unseen">{words.dimensions[list.dimension].list}</span>
        </span>
        <span title={isOfGoal ? words.goalColumns.note : undefined}>
          {isOfGoal ? words.goalColumns.conversions : words.columns[list.metric]}
        </span>
        <span>{isOfGoal ? words.goalColumns.rate : isCompared ? words.sites.sorts.change : '%'}</span>
      </div>
      {rows.map((row) => (
        <Row
          key={row.value}
          {...{ list, row, top, isCompared, metric }}
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
  metric: Sort;
  /** The page with the filter that keeps the row, or leaves it out. */
  hrefOf: (operator: 'is' | 'not') => string;
}

function Row({ list, row, top, all, isCompared, metric, hrefOf }: RowProps) {
  const shown = list.show?.(row.value) ?? row.value;
  const figure = row[metric] ?? null;
  return (
    <div class="row">
      <div class="name">
        <span class="bar" style={{ width: `${(100 * (figure ?? 0)) / top}%` }} />
        <RowSign dimension={list.dimension} value={row.value} />
        <Link href={hrefOf('is')} title={shown} aria-label={words.filters.only(shown)}>
          {shown}
        </Link>
        <Link href={hrefOf('not')} class="except" aria-label={words.filters.exclude(shown)}>
          <Icon name="except" />
        </Link>
      </div>
      <div class="numbers">
        <span title={figure === null ? words.share.tooFewText : exact(figure)}>
          {figure === null ? '–' : count(figure)}
        </span>
        {metric === 'conversions' ? (
          <span class="soft">{row.conversionRate == null ? '–' : columnPercent(row.conversionRate)}</span>
        ) : isCompared ? (
          <Change now={row[metric]} before={row.previous?.[metric]} />
        ) : (
          <span class="soft">{all && row[metric] <= all ? percent((100 * row[metric]) / all, 0) : ''}</span>
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
