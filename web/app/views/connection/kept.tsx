import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import {
  getOrigins,
  getTelemetryRetention,
  type Origins,
  type Retention,
  replaceOrigins,
  replaceTelemetryRetention,
} from '../../api/operations.generated.ts';
import { exact } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { useAction } from '../../parts/use-action.ts';
import type { EnvironmentIds } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';

/** For how long telemetry is kept, and the origins of the environment's own APIs. */
export function Kept({ environment, isManager }: { environment: EnvironmentIds; isManager: boolean }) {
  const texts = backendWords.connection;
  const retention = useQuery({
    queryKey: ['telemetry-retention', environment],
    queryFn: ({ signal }) => getTelemetryRetention(environment, signal),
  });
  const origins = useQuery({
    queryKey: ['origins', environment],
    queryFn: ({ signal }) => getOrigins(environment, signal),
  });
  const failed = [retention, origins].find(({ error }) => error !== null);
  const days = retention.data?.data;
  return (
    <section class="card part" aria-label={texts.settings}>
      <h2>{texts.settings}</h2>
      {failed && <Failure error={failed.error} retry={failed.refetch} />}
      {days && <RetentionDays {...{ environment, days, isManager }} />}
      <h3>{texts.origins}</h3>
      <p class="soft">{texts.originsText}</p>
      {origins.data && (
        <OriginList environment={environment} origins={origins.data.data.origins} isManager={isManager} />
      )}
    </section>
  );
}

const SIGNALS = ['traces', 'logs', 'metrics'] as const;
const MAX_DAYS = 90;

interface RetentionDaysProps {
  environment: EnvironmentIds;
  days: Retention;
  isManager: boolean;
}

/** How many days each signal is kept. Fewer days delete what is older, so it is asked for first. */
function RetentionDays({ environment, days, isManager }: RetentionDaysProps) {
  const texts = backendWords.connection;
  // What was typed stays when the answer to an earlier change comes.
  const [typed, setTyped] = useState<Partial<Retention>>({});
  const next = { ...days, ...typed };
  const [isAsking, setAsking] = useState(false);
  const isShorter = SIGNALS.some((signal) => next[signal] < days[signal]);
  const { run, error, isPending } = useAction(() => replaceTelemetryRetention({ ...environment, ...next }), {
    changes: [['telemetry-retention', environment]],
  });
  if (!isManager)
    return (
      <p>
        {SIGNALS.map(
          (signal) => `${backendWords.views[signal]}: ${texts.days(days[signal], exact(days[signal]))}`,
        ).join(' · ')}
      </p>
    );
  return (
    <>
      <h3>{texts.retention}</h3>
      <form
        class="form"
        aria-label={texts.retention}
        onSubmit={(event) => {
          event.preventDefault();
          if (isShorter) setAsking(true);
          else run();
        }}
      >
        <div class="beside days">
          {SIGNALS.map((signal) => (
            <Field key={signal} label={backendWords.views[signal]}>
              <input
                class="input"
                type="number"
                name={signal}
                required
                min={1}
                max={MAX_DAYS}
                step={1}
                value={next[signal]}
                onInput={({ currentTarget }) => setTyped({ ...typed, [signal]: currentTarget.valueAsNumber })}
              />
            </Field>
          ))}
        </div>
        <small class="soft">{texts.retentionText}</small>
        {error && <Failure error={error} />}
        <p class="buttons">
          <button
            type="submit"
            class="button"
            disabled={isPending || SIGNALS.every((signal) => next[signal] === days[signal])}
          >
            {words.save}
          </button>
        </p>
      </form>
      {isAsking && (
        <ConfirmDialog
          title={texts.retention}
          submit={words.save}
          act={() => replaceTelemetryRetention({ ...environment, ...next })}
          changes={[['telemetry-retention', environment]]}
          onClose={() => setAsking(false)}
        >
          <p>{texts.retentionText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface OriginListProps {
  environment: EnvironmentIds;
  origins: Origins['origins'];
  isManager: boolean;
}

function OriginList({ environment, origins, isManager }: OriginListProps) {
  const texts = backendWords.connection;
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [isSaved, setSaved] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const lines = String(new FormData(event.currentTarget as HTMLFormElement).get('origins')).split(/\s+/);
    setError(undefined);
    setSaved(false);
    try {
      // Origins that stay keep their sites.
      const next = lines
        .filter((line) => line !== '')
        .map((origin) => origins.find((known) => known.origin === origin) ?? { origin });
      await replaceOrigins({ ...environment, origins: next });
      await queries.invalidateQueries({ queryKey: ['origins', environment] });
      setSaved(true);
    } catch (cause) {
      setError(cause);
    }
  };
  if (!isManager)
    return (
      <ul>
        {origins.length === 0 && <li>{backendWords.trace.none}</li>}
        {origins.map(({ origin }) => (
          <li key={origin}>
            <code>{origin}</code>
          </li>
        ))}
      </ul>
    );
  return (
    <form class="form" aria-label={texts.origins} onSubmit={submit}>
      <label class="field">
        <span>{texts.oneALine}</span>
        <textarea
          class="input"
          name="origins"
          defaultValue={origins.map(({ origin }) => origin).join('\n')}
        />
      </label>
      {error !== undefined && <Failure error={error} />}
      <p>
        <button type="submit" class="button">
          {words.save}
        </button>{' '}
        <span role="status">{isSaved ? texts.saved : ''}</span>
      </p>
    </form>
  );
}
