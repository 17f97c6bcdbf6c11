import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import {
  getOrigins,
  getTelemetryRetention,
  type Origins,
  replaceOrigins,
} from '../../api/operations.generated.ts';
import { exact } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import type { Place } from '../../state/telemetry-query.ts';
import { words } from '../../words/index.ts';

/** For how long telemetry is kept, and the origins of the environment's own APIs. */
export function Kept({ place, isManager }: { place: Place; isManager: boolean }) {
  const told = words.backend.connection;
  const retention = useQuery({
    queryKey: ['telemetry-retention', place],
    queryFn: ({ signal }) => getTelemetryRetention(place, signal),
  });
  const origins = useQuery({
    queryKey: ['origins', place],
    queryFn: ({ signal }) => getOrigins(place, signal),
  });
  const failed = [retention, origins].find(({ error }) => error !== null);
  const days = retention.data?.data;
  return (
    <section class="card part" aria-label={told.settings}>
      <h2>{told.settings}</h2>
      {failed && <Failure error={failed.error} retry={failed.refetch} />}
      {days && (
        <p>
          {(['traces', 'logs', 'metrics'] as const)
            .map(
              (signal) => `${words.backend.views[signal]}: ${told.days(days[signal], exact(days[signal]))}`,
            )
            .join(' · ')}
        </p>
      )}
      <h3>{told.origins}</h3>
      <p class="soft">{told.originsText}</p>
      {origins.data && <OriginList place={place} origins={origins.data.data.origins} isManager={isManager} />}
    </section>
  );
}

interface OriginListProps {
  place: Place;
  origins: Origins['origins'];
  isManager: boolean;
}

function OriginList({ place, origins, isManager }: OriginListProps) {
  const told = words.backend.connection;
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
      await replaceOrigins({ ...place, origins: next });
      await queries.invalidateQueries({ queryKey: ['origins', place] });
      setSaved(true);
    } catch (cause) {
      setError(cause);
    }
  };
  if (!isManager)
    return (
      <ul>
        {origins.length === 0 && <li>{words.backend.trace.none}</li>}
        {origins.map(({ origin }) => (
          <li key={origin}>
            <code>{origin}</code>
          </li>
        ))}
      </ul>
    );
  return (
    <form class="form" onSubmit={submit}>
      <label class="field">
        <span>{told.oneALine}</span>
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
        <span role="status">{isSaved ? told.saved : ''}</span>
      </p>
    </form>
  );
}
