import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { getLive, type Site } from '../../api/operations.generated.ts';
import { exact } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { behaviourWords } from '../../words/behaviour.ts';
import { words } from '../../words/index.ts';
import { SiteFrame } from '../site/site-frame.tsx';

const ASK_AGAIN_MS = 5000;

/** Who is on which page. Not asked for while nobody looks. */
export default function LiveView({ siteId }: { siteId: string }) {
  return (
    <SiteFrame siteId={siteId} view="live">
      {(site) => <Live site={site} />}
    </SiteFrame>
  );
}

function Live({ site }: { site: Site }) {
  const texts = behaviourWords.liveView;
  const { data, error, refetch } = useQuery({
    queryKey: ['live', site.id],
    queryFn: ({ signal }) => getLive({ siteId: site.id }, signal),
    refetchInterval: ASK_AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="unseen">{words.loading}</p>;
  const { visitors, anonymousPageviews, pages } = data.data;
  const top = Math.max(1, ...pages.map((page) => page.visitors));
  return (
    <section class="card section">
      <p class="soft">{texts.text}</p>
      <dl class="counts">
        <div>
          <dt>{texts.visitors}</dt>
          <dd>{exact(visitors)}</dd>
        </div>
        <div>
          <dt title={texts.anonymousText}>{texts.anonymous}</dt>
          <dd>{exact(anonymousPageviews)}</dd>
        </div>
      </dl>
      {pages.length === 0 && <p class="empty">{texts.nobody}</p>}
      {pages.length > 0 && (
        <div class="rows">
          <div class="columns">
            <span>{texts.page}</span>
            <span class="number">{texts.visitors}</span>
          </div>
          {pages.map((page) => (
            <div key={page.path} class="row">
              <div class="name">
                <span class="bar" style={{ width: `${(100 * page.visitors) / top}%` }} />
                <span title={page.path}>{page.path}</span>
              </div>
              <span class="number">{exact(page.visitors)}</span>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
