import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { getTraceJourney, type Journey } from '../../api/operations.generated.ts';
import { money, time } from '../../format.ts';
import { DEFAULT_PERIOD, writeSiteQuery } from '../../state/site-query.ts';
import type { EnvironmentIds } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { EvidenceMark } from './evidence-mark.tsx';

interface JourneyCardProps {
  environment: EnvironmentIds;
  traceId: string;
  choose: (index: number) => void;
}

/** Page views around the one that asked; a visit may have hundreds. */
const PAGES_BESIDE = 4;

export const useJourney = (environment: EnvironmentIds, traceId: string) =>
  useQuery({
    queryKey: ['journey', environment, traceId],
    queryFn: ({ signal }) => getTraceJourney({ ...environment, traceId }, signal),
  });

/** The pages that led to a trace, and the outcomes that were sent from it, each link with its evidence. Nothing without one. */
export function JourneyCard({ environment, traceId, choose }: JourneyCardProps) {
  const journey = useJourney(environment, traceId).data?.data;
  if (journey === undefined || (journey.outcomes.length === 0 && journey.association === null)) return null;
  return (
    <section class="card visit-of-trace" aria-label={backendWords.journey.title}>
      {journey.association && <Visit {...{ journey, association: journey.association, choose }} />}
      {journey.outcomes.length > 0 && <Outcomes journey={journey} choose={choose} />}
    </section>
  );
}

interface VisitProps {
  journey: Journey;
  association: NonNullable<Journey['association']>;
  choose: (index: number) => void;
}

/** The visit whose page asked, and what links both. */
function Visit({ journey: { visit, pageViews, spans }, association, choose }: VisitProps) {
  const texts = backendWords.journey;
  const { evidence, origin, status, pageView, span: index } = association;
  const from = Math.max(0, (pageView ?? pageViews.length - 1) - PAGES_BESIDE);
  const shown = pageViews.slice(from, (pageView ?? pageViews.length - 1) + PAGES_BESIDE + 1);
  const span = index === null ? undefined : spans[index];
  return (
    <>
      <h2>{texts.visit}</h2>
      {visit && (
        <p class="soft">
          {texts.visitOf(visit.domain, visit.source, time(visit.startedAt, 'instant', 'UTC'))}
        </p>
      )}
      {from > 0 && <p class="soft">{texts.pagesBefore(from)}</p>}
      <ol class="pages-of-visit">
        {shown.map(({ time: at, path }, n) => (
          <li key={`${at} ${path}`} aria-current={from + n === pageView ? 'step' : undefined}>
            <span class="soft">{time(at, 'moment', 'UTC')}</span>{' '}
            {visit ? <Link href={pageHref(visit.siteId, path)}>{path}</Link> : path}{' '}
            {from + n === pageView && <strong>{texts.asked}</strong>}
          </li>
        ))}
      </ol>
      {from + shown.length < pageViews.length && (
        <p class="soft">{texts.pagesAfter(pageViews.length - from - shown.length)}</p>
      )}
      {pageView === null && <p class="soft">{texts.noPage}</p>}
      <p>
        <EvidenceMark evidence={evidence} />{' '}
        <span class="soft">
          {texts.request(origin)}
          {status !== null && ` · ${texts.status(status)}`}
        </span>{' '}
        {index !== null && span !== undefined && !span.missing && (
          <button type="button" class="link" onClick={() => choose(index)}>
            {texts.answeredBy(`${span.service} ${span.name}`)}
          </button>
        )}
      </p>
      <p class="soft">{texts.evidenceTexts[evidence]}</p>
    </>
  );
}

/** The page in the view of its site. */
const pageHref = (siteId: string, path: string): string => {
  const query = { period: DEFAULT_PERIOD, metric: 'visitors' as const };
  return `/sites/${siteId}${writeSiteQuery({ ...query, filters: [{ dimension: 'page', operator: 'is', values: [path] }] })}`;
};

function Outcomes({ journey, choose }: { journey: Journey; choose: (index: number) => void }) {
  const texts = backendWords.journey;
  return (
    <>
      <h2>{texts.outcomes}</h2>
      <ul>
        {journey.outcomes.map((outcome) => (
          <li key={`${outcome.source} ${outcome.domainEventId}`}>
            <strong>{outcome.type}</strong>{' '}
            {outcome.value && <span>{money(outcome.value.amount, outcome.value.currency)}</span>}{' '}
            <span class="soft">
              {outcome.source} {outcome.domainEventId} ·{' '}
              {texts.sentAt(time(outcome.sentAt, 'instant', 'UTC'))}
            </span>{' '}
            <SentFrom outcome={outcome} journey={journey} choose={choose} />
          </li>
        ))}
      </ul>
      <p class="soft">{texts.evidence}</p>
      {journey.outcomesTruncated && <p class="soft">{texts.truncated}</p>}
    </>
  );
}

interface SentFromProps {
  outcome: Journey['outcomes'][number];
  journey: Journey;
  choose: (index: number) => void;
}

/** The span that sent the outcome, if the sending named it and it is there. */
function SentFrom({ outcome: { span: index }, journey, choose }: SentFromProps) {
  const span = index === null ? undefined : journey.spans[index];
  if (index === null || span === undefined || span.missing) return null;
  return (
    <button type="button" class="link" onClick={() => choose(index)}>
      {backendWords.journey.sentFrom(`${span.service} ${span.name}`)}
    </button>
  );
}
