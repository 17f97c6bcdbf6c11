import { useQuery } from '@tanstack/preact-query';
import { listDeletions } from '../../api/operations.generated.ts';
import { exact } from '../../format.ts';
import { words } from '../../words/index.ts';

const ASK_AGAIN_MS = 5000;

/** Sites that are being deleted, with how far it is. The service lists them until a week after the end. */
export function Deletions() {
  const texts = words.deletions;
  const { data } = useQuery({
    queryKey: ['deletions'],
    queryFn: ({ signal }) => listDeletions({}, signal),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ finishedAt }) => finishedAt === null) ? ASK_AGAIN_MS : false,
  });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <section class="deletions" aria-label={texts.list}>
      <h2>{texts.list}</h2>
      <ul class="entries">
        {data.data.map(({ siteId, name, domain, visits, deletedVisits, finishedAt }) => (
          <li key={siteId}>
            <span>
              {name} <span class="soft">{domain}</span>
            </span>
            <span>
              {finishedAt === null ? texts.progress(exact(deletedVisits), exact(visits)) : texts.finished}{' '}
              {finishedAt === null && (
                <progress aria-label={name} max={Math.max(1, visits)} value={deletedVisits} />
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
