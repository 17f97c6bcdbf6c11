import { useQuery } from '@tanstack/preact-query';
import { getTraceJourney, type Journey } from '../../api/operations.generated.ts';
import { money, time } from '../../format.ts';
import type { Place } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';

interface JourneyCardProps {
  place: Place;
  traceId: string;
  choose: (index: number) => void;
}

/** The outcomes that were sent from a trace, each with its evidence. Nothing without one. */
export function JourneyCard({ place, traceId, choose }: JourneyCardProps) {
  const { data } = useQuery({
    queryKey: ['journey', place, traceId],
    queryFn: ({ signal }) => getTraceJourney({ ...place, traceId }, signal),
  });
  const journey = data?.data;
  if (journey === undefined || journey.outcomes.length === 0) return null;
  const told = backendWords.journey;
  return (
    <section class="card visit-of-trace" aria-label={told.title}>
      <h2>{told.outcomes}</h2>
      <ul>
        {journey.outcomes.map((outcome) => (
          <li key={`${outcome.source} ${outcome.domainEventId}`}>
            <strong>{outcome.type}</strong>{' '}
            {outcome.value && <span>{money(outcome.value.amount, outcome.value.currency)}</span>}{' '}
            <span class="soft">
              {outcome.source} {outcome.domainEventId} · {told.sentAt(time(outcome.sentAt, 'instant', 'UTC'))}
            </span>{' '}
            <SentFrom outcome={outcome} journey={journey} choose={choose} />
          </li>
        ))}
      </ul>
      <p class="soft">{told.evidence}</p>
      <p class="soft">{told.pageViews}</p>
      {journey.outcomesTruncated && <p class="soft">{told.truncated}</p>}
    </section>
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
    <button type="button" class="button plain" onClick={() => choose(index)}>
      {backendWords.journey.sentFrom(`${span.service} ${span.name}`)}
    </button>
  );
}
