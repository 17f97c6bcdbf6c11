import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { type Connection, getConnectionStatus, type Project } from '../../api/operations.generated.ts';
import { compact, exact, rate, time } from '../../format.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import { type EnvironmentIds, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { EnvironmentFrame } from '../environment/environment-frame.tsx';
import { IngestKeys } from './ingest-keys.tsx';
import { Kept } from './kept.tsx';
import { SNIPPETS } from './snippets.ts';

/** Until something came in it is asked often. */
const WAITING_MS = 3000;
const CONNECTED_MS = 15_000;

const hasData = (connections: readonly Connection[] | undefined): boolean =>
  connections?.some(({ lastReceivedAt }) => lastReceivedAt !== null) ?? false;

/** How backends send here, and whether anything comes in. */
export default function ConnectionView({ environment }: { environment: EnvironmentIds }) {
  return (
    <EnvironmentFrame environment={environment} view="connection">
      {(role) => <Whole environment={environment} role={role} />}
    </EnvironmentFrame>
  );
}

function Whole({ environment, role }: { environment: EnvironmentIds; role: Project['role'] }) {
  const [key, setKey] = useState<string | undefined>();
  const isManager = role !== 'viewer';
  return (
    <>
      <Status environment={environment} />
      <IngestKeys environment={environment} isManager={isManager} made={key} setMade={setKey} />
      <HowToSend apiKey={key} />
      <Kept environment={environment} isManager={isManager} />
    </>
  );
}

function Status({ environment }: { environment: EnvironmentIds }) {
  const texts = backendWords.connection;
  const { data, error, refetch } = useQuery({
    queryKey: ['connection', environment],
    queryFn: ({ signal }) => getConnectionStatus(environment, signal),
    refetchInterval: ({ state }) => (hasData(state.data?.data) ? CONNECTED_MS : WAITING_MS),
  });
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="empty">{words.loading}</p>;
  const isConnected = hasData(data.data);
  const { quotas } = data.meta;
  return (
    <section class="card part" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p role="status">
        {isConnected ? texts.connected : texts.waiting}{' '}
        {isConnected && <Link href={viewHref(environment, 'traces')}>{backendWords.views.traces}</Link>}
      </p>
      <Scrolls label={texts.title}>
        <table class="list-table signals">
          <thead>
            <tr>
              <th>{texts.signal}</th>
              <th>{texts.lastReceived}</th>
              <th class="number">{texts.perSecond}</th>
              <th>{texts.services}</th>
              <th>{texts.lastError}</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map((connection) => (
              <SignalRow key={connection.signal} connection={connection} />
            ))}
          </tbody>
        </table>
      </Scrolls>
      <details>
        <summary>{texts.quotas}</summary>
        <dl class="attributes">
          {(['bytesPerDay', 'series', 'services', 'attributeKeys'] as const).map((name) => (
            <div key={name}>
              <dt>{texts.quotaNames[name]}</dt>
              <dd>{texts.usedOf(compact(quotas[name].used), compact(quotas[name].limit))}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

function SignalRow({
  connection: { signal, lastReceivedAt, itemsPerSecond, lastError, services },
}: {
  connection: Connection;
}) {
  const texts = backendWords.connection;
  return (
    <tr>
      <td>{backendWords.views[signal]}</td>
      <td>{lastReceivedAt === null ? texts.nothing : time(lastReceivedAt, 'instant', 'UTC')}</td>
      <td class="number">{itemsPerSecond === null ? '–' : rate(itemsPerSecond)}</td>
      <td>
        {services.length === 0
          ? '–'
          : `${exact(services.length)}: ${services.map(({ name }) => name).join(', ')}`}
      </td>
      <td>
        {lastError === null ? (
          '–'
        ) : (
          <>
            <span class="wrong">
              {lastError.status}: {lastError.message}
            </span>{' '}
            <span class="soft">{time(lastError.at, 'instant', 'UTC')}</span>
          </>
        )}
      </td>
    </tr>
  );
}

/** Where to send, and what to type for each language. */
function HowToSend({ apiKey }: { apiKey: string | undefined }) {
  const [chosen, setChosen] = useState(0);
  const texts = backendWords.connection;
  const endpoint = window.location.origin;
  const snippet = SNIPPETS[chosen];
  return (
    <section class="card part" aria-label={texts.send}>
      <h2>{texts.send}</h2>
      <p class="soft">{texts.endpoint}</p>
      <CopyText label={texts.endpoint} text={endpoint} />
      <TabList
        label={texts.languages}
        names={SNIPPETS.map(({ name }) => name)}
        chosen={SNIPPETS[chosen]?.name ?? ''}
        textOf={(name) => name}
        onChoose={setChosen}
      />
      {snippet && (
        <CopyText
          key={snippet.name}
          label={snippet.name}
          text={snippet.of({ endpoint, key: apiKey ?? 'YOUR_INGEST_KEY' })}
        />
      )}
      {apiKey === undefined && <p class="soft">{texts.placeholder}</p>}
    </section>
  );
}
