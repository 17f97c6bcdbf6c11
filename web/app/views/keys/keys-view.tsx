import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import {
  type ApiKey,
  type CreatedApiKey,
  type CreatedQueryToken,
  listApiKeys,
  listQueryTokens,
  type QueryToken,
  revokeApiKey,
  revokeQueryToken,
} from '../../api/operations.generated.ts';
import { exact, listed, time, zoneHere } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/section.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { useProjects } from '../../state/use-may-change.ts';
import { peopleWords } from '../../words/people.ts';
import { SettingsFrame } from '../account/settings-frame.tsx';
import { type Client, clientLines, curlLine } from './clients.ts';
import { NewApiKey, NewQueryToken } from './new-key-dialogs.tsx';
import { useSites } from './opens-fields.tsx';

/** The person's keys for programs, and tokens for agents. */
export default function KeysView() {
  return (
    <SettingsFrame view="keys">
      <div class="sections narrow">
        <QueryTokens />
        <ApiKeys />
      </div>
    </SettingsFrame>
  );
}

function ApiKeys() {
  const texts = peopleWords.keys;
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<CreatedApiKey | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => listApiKeys({}, signal),
  });
  return (
    <Section title={texts.api} text={texts.apiText}>
      {error && <Failure error={error} retry={refetch} />}
      {data?.data.length === 0 && !made && <p>{texts.noApi}</p>}
      {made && (
        <MadeKey made={made} onDone={() => setMade(undefined)}>
          <h3>{texts.use}</h3>
          <CopyText text={curlLine(made.token)} label={texts.use} />
        </MadeKey>
      )}
      <KeyList
        keys={data?.data ?? []}
        describe={({ access }) => texts.accesses[access]}
        revoke={({ id }) => revokeApiKey({ apiKeyId: id })}
        changes="api-keys"
      />
      <NewButton label={texts.newApi} open={() => setNew(true)} />
      {isNew && (
        <NewApiKey
          onClose={() => setNew(false)}
          onDone={(key) => {
            setMade(key);
            setNew(false);
          }}
        />
      )}
    </Section>
  );
}

function QueryTokens() {
  const texts = peopleWords.keys;
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<CreatedQueryToken | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['query-tokens'],
    queryFn: ({ signal }) => listQueryTokens({}, signal),
  });
  return (
    <Section title={texts.query} text={texts.queryText}>
      {error && <Failure error={error} retry={refetch} />}
      {data?.data.length === 0 && !made && <p>{texts.noQuery}</p>}
      {made && (
        <MadeKey made={made} onDone={() => setMade(undefined)}>
          <ClientLines token={made.token} />
        </MadeKey>
      )}
      <KeyList
        keys={data?.data ?? []}
        describe={({ scopes }) => scopes.join(', ')}
        revoke={({ id }) => revokeQueryToken({ queryTokenId: id })}
        changes="query-tokens"
      />
      <NewButton label={texts.newQuery} open={() => setNew(true)} />
      {isNew && (
        <NewQueryToken
          onClose={() => setNew(false)}
          onDone={(token) => {
            setMade(token);
            setNew(false);
          }}
        />
      )}
    </Section>
  );
}

const NewButton = ({ label, open }: { label: string; open: () => void }) => (
  <p class="buttons">
    <button type="button" class="button" onClick={open}>
      <Icon name="plus" />
      {label}
    </button>
  </p>
);

interface MadeKeyProps {
  made: { name: string; token: string };
  onDone: () => void;
  children: ComponentChildren;
}

const MadeKey = ({ made, onDone, children }: MadeKeyProps) => (
  <ShownOnce
    title={peopleWords.keys.made(made.name)}
    text={peopleWords.keys.once}
    label={peopleWords.keys.token}
    secret={made.token}
    done={peopleWords.keys.done}
    onDone={onDone}
  >
    {children}
  </ShownOnce>
);

/** The token in the line or the file of each client. */
function ClientLines({ token }: { token: string }) {
  const texts = peopleWords.keys;
  const [client, setClient] = useState<Client>('claude');
  return (
    <>
      <div class="tabs" role="tablist" aria-label={texts.client}>
        {(Object.keys(texts.clients) as Client[]).map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            aria-selected={one === client}
            onClick={() => setClient(one)}
          >
            {texts.clients[one]}
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={texts.clients[client]} class="form">
        <p class="soft">{texts.clientText[client]}</p>
        <CopyText text={clientLines(token)[client]} label={texts.clients[client]} />
      </div>
    </>
  );
}

interface KeyListProps<Key> {
  keys: readonly Key[];
  /** What it may do, in a word. */
  describe: (key: Key) => string;
  revoke: (key: Key) => Promise<void>;
  changes: string;
}

function KeyList<Key extends ApiKey | QueryToken>({ keys, describe, revoke, changes }: KeyListProps<Key>) {
  const texts = peopleWords.keys;
  const [revoked, setRevoked] = useState<Key | undefined>();
  const openedBy = useOpened();
  return (
    <>
      {keys.length > 0 && (
        <ul class="entries">
          {keys.map((key) => (
            <li key={key.id}>
              <div>
                <strong>{key.name}</strong>
                <p class="small">
                  {describe(key)} · {openedBy(key)}
                </p>
                <p class="soft small">{describeUse(key)}</p>
              </div>
              <button type="button" class="button" onClick={() => setRevoked(key)}>
                {texts.revoke}
                <span class="unseen"> {key.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {revoked && (
        <ConfirmDialog
          title={texts.revokeTitle(revoked.name)}
          submit={texts.revoke}
          act={() => revoke(revoked)}
          changes={[[changes]]}
          onClose={() => setRevoked(undefined)}
        >
          <p>{texts.revokeText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Names at most as many; more are counted. */
const MAX_NAMED = 3;

/** Says what a key opens. Names that the person no longer sees are counted only. */
function useOpened(): (key: ApiKey | QueryToken) => string {
  const texts = peopleWords.keys;
  const projects = useProjects().data?.data ?? [];
  const sites = useSites().data?.data ?? [];
  const name = (
    ids: readonly string[],
    known: readonly { id: string; name: string }[],
    count: (count: number, shown: string) => string,
  ): string => {
    const names = known.filter(({ id }) => ids.includes(id)).map((one) => one.name);
    return names.length === ids.length && names.length <= MAX_NAMED
      ? listed(names)
      : count(ids.length, exact(ids.length));
  };
  return ({ projectIds, siteIds }) => {
    if (siteIds !== null) return name(siteIds, sites, texts.opensSites);
    return projectIds === null ? texts.opensAll : name(projectIds, projects, texts.opensProjects);
  };
}

function describeUse({ createdAt, lastUsedAt, expiresAt }: ApiKey | QueryToken): string {
  const texts = peopleWords.keys;
  const zone = zoneHere();
  const made = texts.madeAt(time(createdAt, 'long-day', zone));
  const use = `${made}, ${lastUsedAt === null ? texts.neverUsed : texts.used(time(lastUsedAt, 'long-hour', zone))}`;
  if (expiresAt === null) return use;
  const end = time(expiresAt, 'long-day', zone);
  return `${use}, ${Date.parse(expiresAt) > Date.now() ? texts.until(end) : texts.ended(end)}`;
}
