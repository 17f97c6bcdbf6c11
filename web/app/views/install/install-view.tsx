import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import {
  type getDropped,
  getOrigins,
  listEnvironments,
  type Overview,
  type Site,
} from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { exact, time } from '../../format.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import { addingWords } from '../../words/adding.ts';
import { words } from '../../words/index.ts';
import { settingsWords } from '../../words/settings.ts';
import { SiteFrame } from '../site/site-frame.tsx';

/** How the snippet gets into the pages, and whether something comes from them. */
export default function InstallView({ siteId }: { siteId: string }) {
  return (
    <SiteFrame siteId={siteId} view="settings">
      {(site) => (
        <div class="sections">
          <Snippets site={site} />
          <OwnApis site={site} />
          <Arrival site={site} />
        </div>
      )}
    </SiteFrame>
  );
}

type Kind = keyof typeof addingWords.install.kinds;

/** The snippet as each kind of site writes it. */
function snippetsOf({ snippet, id }: Site): Record<Kind, string> {
  const source = /src="([^"]*)"/.exec(snippet)?.[1] ?? '';
  return {
    html: snippet,
    next: `<head>\n  <script defer src="${source}" data-site="${id}" />\n</head>`,
    nuxt: `export default defineNuxtConfig({\n  app: {\n    head: {\n      script: [{ src: '${source}', defer: true, 'data-site': '${id}' }],\n    },\n  },\n});`,
    astro: snippet.replace('<script ', '<script is:inline '),
    spa: snippet,
    wordpress: `add_action('wp_head', function () {\n  echo '${snippet}';\n});`,
  };
}

function Snippets({ site }: { site: Site }) {
  const texts = addingWords.install;
  const kinds = Object.keys(texts.kinds) as Kind[];
  const [kind, setKind] = useState<Kind>('html');
  return (
    <Section title={texts.title}>
      <TabList
        label={texts.kind}
        names={kinds}
        chosen={kind}
        textOf={(one) => texts.kinds[one]}
        onChoose={(index) => setKind(kinds[index] ?? kind)}
      />
      <div role="tabpanel" aria-label={texts.kinds[kind]} class="form">
        <p class="soft">{texts.pasteAt[kind]}</p>
        <CopyText text={snippetsOf(site)[kind]} label={settingsWords.settings.snippet} />
      </div>
    </Section>
  );
}

/** The attribute that names the origins of the site's own APIs, if an environment lists some. */
function OwnApis({ site: { id, projectId } }: { site: Site }) {
  const texts = addingWords.install;
  const { data: origins = [] } = useQuery({
    queryKey: ['tied-origins', projectId, id],
    queryFn: async ({ signal }) => {
      const { data: environments } = await listEnvironments({ projectId }, signal);
      const listed = await Promise.all(
        environments.map((environment) => getOrigins({ projectId, environmentId: environment.id }, signal)),
      );
      const tied = listed
        .flatMap(({ data }) => data.origins)
        .filter(({ siteIds }) => siteIds === undefined || siteIds.includes(id));
      return [...new Set(tied.map(({ origin }) => origin))].sort();
    },
  });
  if (origins.length === 0) return null;
  return (
    <Section title={texts.origins} text={texts.originsText}>
      <CopyText text={`data-origins="${origins.join(', ')}"`} label="data-origins" />
    </Section>
  );
}

type Dropped = Awaited<ReturnType<typeof getDropped>>['data'];

const ASK_AGAIN_MS = 3000;

/** Asks until the first event is there. Not while nobody looks. */
function useArrival(siteId: string) {
  const reader = useReader();
  return useQuery({
    queryKey: ['arrival', siteId],
    queryFn: async () => {
      const asked = { siteId, period: '24h' } as const;
      const [overview, dropped] = await Promise.all([
        reader.report<Overview>('overview', asked),
        reader.report<Dropped>('dropped', asked),
      ]);
      return { meta: overview.meta, dropped: dropped.data };
    },
    refetchInterval: ({ state }) => (state.data?.meta.coverage.since == null ? ASK_AGAIN_MS : false),
  });
}

function Arrival({ site }: { site: Site }) {
  const texts = addingWords.install;
  const { data, error, refetch } = useArrival(site.id);
  const hasCome = data !== undefined && data.meta.coverage.since !== null;
  const lastAt = data?.meta.freshness.lastEventAt;
  const hints = Object.entries(texts.hints).filter(
    ([name]) => name !== 'off' || site.privacy?.preConsentTier === 'off',
  );
  return (
    <Section title={texts.check}>
      <p role="status">
        {hasCome ? <strong>{texts.works}</strong> : <span class="awaited">{texts.waiting}</span>}{' '}
        {hasCome && lastAt != null && texts.worksText(time(lastAt, 'long-hour', site.timezone))}
      </p>
      {error && <Failure error={error} retry={refetch} />}
      {hasCome && (
        <p class="buttons">
          <Link class="button main" href={`/sites/${site.id}`}>
            {texts.toSite}
          </Link>
        </p>
      )}
      {data && data.dropped.length > 0 && (
        <>
          <h3>{texts.refused}</h3>
          <ul class="entries">
            {data.dropped.map(({ reason, events }) => (
              <li key={reason}>
                <span>
                  <strong>{words.tiers.reasons[reason]}</strong> {texts.reasons[reason]}
                </span>
                <span class="number">{texts.countOf(exact(events))}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {data && !hasCome && (
        <>
          <h3>{texts.nothing}</h3>
          <ul class="hints">
            {hints.map(([name, text]) => (
              <li key={name}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
