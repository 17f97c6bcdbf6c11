import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import {
  listOrphans,
  type Orphan,
  type Project,
  revokeIngestKey,
  revokeShare,
} from '../../api/operations.generated.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { MadeBy } from '../../parts/made-by.tsx';
import { Section } from '../../parts/section.tsx';
import { backendWords } from '../../words/backend.ts';
import { peopleWords } from '../../words/people.ts';
import { settingsWords } from '../../words/settings.ts';

/** Shares and ingest keys of people who left. They work until somebody revokes them. Nothing is shown if there are none. */
export function Orphans({ project }: { project: Project }) {
  const texts = peopleWords.orphans;
  const [revoked, setRevoked] = useState<Orphan | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['orphans', project.id],
    queryFn: ({ signal }) => listOrphans({ projectId: project.id }, signal),
  });
  const orphans = data?.data ?? [];
  if (orphans.length === 0 && !error) return null;
  return (
    <Section title={texts.title} text={texts.text}>
      {error && <Failure error={error} retry={refetch} />}
      <ul class="entries">
        {orphans.map((orphan) => (
          <li key={orphan.id}>
            <div>
              <strong>{orphan.name}</strong>
              <p class="soft small">
                {orphan.kind === 'share' ? texts.share(orphan.site) : texts.ingestKey(orphan.environment)}
              </p>
              <MadeBy maker={orphan.createdBy} />
            </div>
            {project.role !== 'viewer' && (
              <button type="button" class="button" onClick={() => setRevoked(orphan)}>
                {settingsWords.shares.revoke}
                <span class="unseen"> {orphan.name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {revoked && (
        <ConfirmDialog
          title={
            revoked.kind === 'share'
              ? settingsWords.shares.revokeTitle
              : backendWords.connection.revokeKey(revoked.name)
          }
          submit={settingsWords.shares.revoke}
          act={() => revoke(project.id, revoked)}
          changes={[['orphans', project.id], ['shares'], ['ingest-keys']]}
          onClose={() => setRevoked(undefined)}
        >
          <p>
            {revoked.kind === 'share'
              ? settingsWords.shares.revokeText(revoked.name)
              : backendWords.connection.revokeText}
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

const revoke = (projectId: string, orphan: Orphan): Promise<unknown> =>
  orphan.kind === 'share'
    ? revokeShare({ siteId: orphan.siteId, shareId: orphan.id })
    : revokeIngestKey({ projectId, environmentId: orphan.environmentId, ingestKeyId: orphan.id });
