import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { listSites, type Site } from '../../api/operations.generated.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { change, compact } from '../../format.ts';
import { lazyView } from '../../lazy-view.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { useFiring } from '../../state/use-firing.ts';
import { useProjects } from '../../state/use-may-change.ts';
import { words } from '../../words/index.ts';
import { ShownChange } from '../site/change.tsx';
import { Deletions } from './deletions.tsx';
import { FiringBadge } from './firing-badge.tsx';

const Backends = lazyView(() => import('./backends.tsx'), 'backend');

const PERIODS = ['24h', '7d', '30d', '90d'] as const;
type Period = (typeof PERIODS)[number];
const DEFAULT_PERIOD: Period = '7d';

const SORTS = ['visitors', 'pageviews', 'change', 'name'] as const;
type Sort = (typeof SORTS)[number];

/** Who is on the sites now is asked for again so often. */
const LIVE_MS = 30_000;

/** All sites and backends of a person, and what fires. Period and order are in the address. */
export function SitesView() {
  const query = new URLSearchParams(useSearch());
  const period = PERIODS.find((one) => one === query.get('period')) ?? DEFAULT_PERIOD;
  const sort = SORTS.find((one) => one === query.get('sort')) ?? 'visitors';
  const [search, setSearch] = useState('');
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['sites', period],
    queryFn: ({ signal }) => listSites({ period }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_MS,
  });
  const mayAdd = useProjects().data?.data.some(({ role }) => role !== 'viewer') === true;
  useEffect(() => {
    document.title = `${words.sites.title} · ${words.product}`;
  }, []);
  const found = (data?.data ?? [])
    .filter(({ name, domain, domains }) =>
      [name, domain, ...domains].join(' ').toLowerCase().includes(search.toLowerCase()),
    )
    .sort(ORDERS[sort]);
  return (
    <>
      <div class="heading">
        <h1>{words.sites.title}</h1>
        <div class="controls">
          <input
            type="search"
            class="input search"
            aria-label={words.sites.searchLabel}
            placeholder={words.search}
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <Choices
            name={words.sites.sortBy}
            chosen={sort}
            choices={SORTS}
            labels={words.sites.sorts}
            parameter="sort"
          />
          <Choices
            name={words.periods.label}
            chosen={period}
            choices={PERIODS}
            labels={words.periods}
            parameter="period"
          />
          {mayAdd && (
            <Link href="/sites/new" class="button main">
              <Icon name="plus" />
              {words.sites.add}
            </Link>
          )}
        </div>
      </div>
      {error && <Failure error={error} retry={refetch} />}
      {data && data.data.length === 0 && (
        <div class="empty">
          <strong>{words.sites.empty}</strong>
          <p>{words.sites.emptyText}</p>
        </div>
      )}
      {data && data.data.length > 0 && found.length === 0 && <p class="empty">{words.sites.noMatch}</p>}
      <div class={isPlaceholderData ? 'site-cards dimmed' : 'site-cards'}>
        {found.map((site) => (
          <SiteCard key={site.id} site={site} period={period} />
        ))}
      </div>
      <Suspense fallback={null}>
        <Backends period={period} search={search} />
      </Suspense>
      <Deletions />
    </>
  );
}

/** Sites without a summary come last. */
const by =
  (weight: (summary: NonNullable<Site['summary']>) => number) =>
  (a: Site, b: Site): number =>
    (b.summary ? weight(b.summary) : -Infinity) - (a.summary ? weight(a.summary) : -Infinity);

const ORDERS: Record<Sort, (a: Site, b: Site) => number> = {
  visitors: by(({ visitors }) => visitors),
  pageviews: by(({ pageviews }) => pageviews),
  change: by(({ visitorsChange }) => visitorsChange ?? -Infinity),
  name: (a, b) => a.name.localeCompare(b.name),
};

interface ChoicesProps<Value extends string> {
  name: string;
  chosen: Value;
  choices: readonly Value[];
  labels: Readonly<Record<Value, string>>;
  /** The parameter of the address that holds the choice. */
  parameter: string;
}

function Choices<Value extends string>({ name, chosen, choices, labels, parameter }: ChoicesProps<Value>) {
  const search = useSearch();
  const [path] = useLocation();
  const hrefOf = (value: Value): string => {
    const query = new URLSearchParams(search);
    query.set(parameter, value);
    return `${path}?${query}`;
  };
  return (
    <Menu name={`${name}: ${labels[chosen]}`} label={labels[chosen]}>
      {(close) =>
        choices.map((value) => (
          <Link
            key={value}
            href={hrefOf(value)}
            aria-current={value === chosen ? 'true' : undefined}
            onClick={close}
          >
            {labels[value]}
          </Link>
        ))
      }
    </Menu>
  );
}

/** Where nothing was observed, a zero isn't known either. */
function visitorsIn(summary: Site['summary']): string {
  if (!summary) return '\u00a0';
  const { visitors, changesUnknown } = summary;
  return changesUnknown === 'notObserved'
    ? words.empty.notObserved
    : words.sites.visitors(visitors, compact(visitors));
}

function SiteCard({ site: { id, name, domain, summary }, period }: { site: Site; period: Period }) {
  const firing = useFiring().data?.data.filter((alert) => alert.kind === 'site' && alert.siteId === id);
  return (
    <article class="card site-card">
      <div class="line">
        <h2>
          <Link href={`/sites/${id}?period=${period}`}>{name}</Link>
        </h2>
        <FiringBadge count={firing?.length ?? 0} href={`/sites/${id}/alerts`} />
        {summary && summary.live > 0 && <span class="now">{words.sites.live(compact(summary.live))}</span>}
      </div>
      <p class="soft">{domain}</p>
      <Sparkline values={summary?.spark ?? []} unfinished />
      <p class="line">
        <span>{visitorsIn(summary)}</span>
        {summary && summary.visitorsChange !== null && (
          <ShownChange
            by={summary.visitorsChange}
            title={words.figures.change(change(summary.visitorsChange))}
          />
        )}
      </p>
    </article>
  );
}
