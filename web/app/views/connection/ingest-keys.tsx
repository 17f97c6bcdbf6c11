import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import {
  createIngestKey,
  type IngestKey,
  listIngestKeys,
  revokeIngestKey,
} from '../../api/operations.generated.ts';
import { time } from '../../format.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { MadeBy } from '../../parts/made-by.tsx';
import type { EnvironmentIds } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';

interface IngestKeysProps {
  environment: EnvironmentIds;
  /** Whether the person may make and revoke keys. */
  isManager: boolean;
  /** The key that was made last. It is shown until the view is left, and nowhere again. */
  made: string | undefined;
  setMade: (key: string) => void;
}

/** The ingest keys of the environment. */
export function IngestKeys({ environment, isManager, made, setMade }: IngestKeysProps) {
  const texts = backendWords.connection;
  const [revoked, setRevoked] = useState<IngestKey | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['ingest-keys', environment],
    queryFn: ({ signal }) => listIngestKeys(environment, signal),
  });
  return (
    <section class="card part" aria-label={texts.keys}>
      <h2>{texts.keys}</h2>
      {error && <Failure error={error} retry={refetch} />}
      {data?.data.length === 0 && <p class="soft">{texts.noKeys}</p>}
      <ul class="key-list">
        {data?.data.map((key) => (
          <li key={key.id}>
            <span>
              <strong>{key.name}</strong>{' '}
              <span class="soft">
                {key.outcomes ? texts.withOutcomes : texts.telemetryOnly} ·{' '}
                {key.lastUsedAt === null
                  ? texts.neverUsed
                  : texts.lastUsed(time(key.lastUsedAt, 'long-hour', 'UTC'))}
              </span>
              <MadeBy maker={key.createdBy} />
            </span>
            {isManager && (
              <button
                type="button"
                class="button"
                aria-label={texts.revokeKey(key.name)}
                onClick={() => setRevoked(key)}
              >
                {texts.revoke}
              </button>
            )}
          </li>
        ))}
      </ul>
      {made && (
        <div role="status">
          <p>{texts.once}</p>
          <CopyText label={texts.key} text={made} />
        </div>
      )}
      {isManager && <NewKey environment={environment} setMade={setMade} />}
      {revoked && (
        <RevokeDialog environment={environment} revoked={revoked} onClose={() => setRevoked(undefined)} />
      )}
    </section>
  );
}

/** Asks before it revokes a key, since its senders are refused from then on. */
function RevokeDialog({
  environment,
  revoked,
  onClose,
}: {
  environment: EnvironmentIds;
  revoked: IngestKey;
  onClose: () => void;
}) {
  const texts = backendWords.connection;
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const revoke = async (): Promise<void> => {
    try {
      await revokeIngestKey({ ...environment, ingestKeyId: revoked.id });
      await queries.invalidateQueries({ queryKey: ['ingest-keys', environment] });
      onClose();
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <Dialog title={texts.revokeKey(revoked.name)} onClose={onClose}>
      <div class="body">
        <p>{texts.revokeText}</p>
        {error !== undefined && <Failure error={error} />}
      </div>
      <footer>
        <button type="button" class="button main" onClick={revoke}>
          {texts.revoke}
        </button>
      </footer>
    </Dialog>
  );
}

function NewKey({ environment, setMade }: { environment: EnvironmentIds; setMade: (key: string) => void }) {
  const texts = backendWords.connection;
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    setError(undefined);
    try {
      const { data } = await createIngestKey({
        ...environment,
        name: String(fields.get('name')),
        outcomes: fields.has('outcomes'),
      });
      setMade(data.key);
      form.reset();
      await queries.invalidateQueries({ queryKey: ['ingest-keys', environment] });
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <form class="key-form" onSubmit={submit}>
      <label class="field">
        <span>{texts.keyName}</span>
        <input class="input" name="name" required maxLength={100} autocomplete="off" />
      </label>
      <label class="check">
        <input type="checkbox" name="outcomes" /> {texts.mayOutcomes}
      </label>
      <button type="submit" class="button main">
        {texts.newKey}
      </button>
      {error !== undefined && <Failure error={error} />}
    </form>
  );
}
