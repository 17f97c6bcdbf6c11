import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { getOverview, getTimeseries, listSites, type Site } from '../../api/operations.generated.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { change, compact } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { words } from '../../words/index.ts';

/** All sites of a person, side by side. */
export function SitesView() {
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['sites'],
    queryFn: ({ signal }) => listSites({}, signal),
  });
  useEffect(() => {
    document.title = `${words.sites.title} · ${words.product}`;
  }, []);
  const sites = (data?.data ?? []).filter(({ name, domain }) =>
    `${name} ${domain}`.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <>
      <div class="heading">
        <h1>{words.sites.title}</h1>
        <div class="controls">
          <input
            type="search"
            class="input"
            aria-label={words.sites.searchLabel}
            placeholder={words.search}
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </div>
      </div>
      {error && <Failure error={error} retry={refetch} />}
      {data && data.data.length === 0 && (
        <div class="empty">
          <strong>{words.sites.empty}</strong>
          <p>{words.sites.emptyText}</p>
        </div>
      )}
      {data && data.data.length > 0 && sites.length === 0 && <p class="empty">{words.sites.noMatch}</p>}
      <div class="site-cards">
        {sites.map((site) => (
          <SiteCard key={site.id} site={site} />
        ))}
      </div>
    </>
  );
}

function SiteCard({ site: { id, name, domain } }: { site: Site }) {
  const asked = { siteId: id, period: '7d' } as const;
  const overview = useQuery({
    queryKey: ['overview', asked],
    queryFn: ({ signal }) => getOverview(asked, signal),
  });
  const series = useQuery({
    queryKey: ['spark', asked],
    queryFn: ({ signal }) => getTimeseries(asked, signal),
  });
  const figures = overview.data?.data;
  return (
    <article class="card site-card">
      <h2>
        <Link href={`/sites/${id}`}>{name}</Link>
      </h2>
      <p class="soft">{domain}</p>
      <Sparkline values={series.data?.data.map(({ visits }) => visits) ?? []} />
      <p class="line">
        <span>{figures ? words.sites.visitors(figures.visitors, compact(figures.visitors)) : '\u00a0'}</span>
        {figures && (
          <span class={figures.visitorsChange < 0 ? 'down' : 'up'}>{change(figures.visitorsChange)}</span>
        )}
      </p>
    </article>
  );
}
