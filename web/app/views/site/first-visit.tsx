import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Overview } from '../../api/operations.generated.ts';
import { useReader } from '../../api/reader.ts';
import { country, time } from '../../format.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Icon } from '../../parts/icon.tsx';
import { addingWords } from '../../words/adding.ts';
import { settingsWords } from '../../words/settings.ts';
import { rowsOf, showValue } from './panels.ts';

const ASK_AGAIN_MS = 3000;

interface FirstVisitProps {
  siteId: string;
  zone: string;
  snippet: string;
}

/** What a site without a visit shows first: its snippet. It asks until the first visit comes, and then says what came. */
export default function FirstVisit({ siteId, zone, snippet }: FirstVisitProps) {
  const texts = addingWords.install;
  const reader = useReader();
  const queries = useQueryClient();
  const { data: arrived } = useQuery({
    queryKey: ['first-visit', siteId],
    queryFn: async () => {
      const asked = { siteId, period: '24h' } as const;
      const { meta } = await reader.report<Overview>('overview', asked);
      if (meta.coverage.since === null) return null;
      const [page, source, place] = await Promise.all(
        ['pages', 'sources', 'countries'].map(async (report) =>
          rowsOf((await reader.report<object[]>(report, asked, { limit: 1 })).data),
        ),
      );
      return {
        at: meta.coverage.since,
        page: page?.[0]?.value,
        source: source?.[0] && showValue('source', source[0].value),
        place: place?.[0] && country(place[0].value),
      };
    },
    refetchInterval: ({ state }) => (state.data == null ? ASK_AGAIN_MS : false),
  });
  const hasCome = arrived != null;
  useEffect(() => {
    if (hasCome)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'first-visit' });
  }, [hasCome, queries]);
  return hasCome ? (
    <section class="card section first-visit" role="status">
      <h2>
        <Icon name="check" /> {texts.first}
      </h2>
      <p>
        {[time(arrived.at, 'long-hour', zone), arrived.page, arrived.source, arrived.place]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </section>
  ) : (
    <section class="card section first-visit">
      <h2>{texts.title}</h2>
      <p class="soft">{texts.pasteAt.html}</p>
      <CopyText text={snippet} label={settingsWords.settings.snippet} />
      <p role="status" class="awaited">
        {texts.waiting}
      </p>
      <p class="buttons">
        <Link class="button" href={`/sites/${siteId}/install`}>
          {texts.kind}
        </Link>
      </p>
    </section>
  );
}
