import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { mapServices, type ServiceMap } from '../../api/operations.generated.ts';
import { Failure } from '../../parts/failure.tsx';
import { askedOf, type EnvironmentIds, useFields } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';

interface CallsCardProps {
  environment: EnvironmentIds;
  /** The service whose calls are shown. Undefined: those of all. */
  service?: string;
  /** What is drawn of the map if there are such calls. */
  children: (map: ServiceMap, calls: ServiceMap['edges']) => ComponentChildren;
}

/** Who calls whom, and which calls aren't counted. */
export function CallsCard({ environment, service, children }: CallsCardProps) {
  const { fields } = useFields();
  const asked = askedOf(environment, fields);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['service-map', asked],
    queryFn: ({ signal }) => mapServices(asked, signal),
    placeholderData: keepPreviousData,
  });
  const texts = backendWords.services;
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return null;
  const calls = data.data.edges.filter(
    ({ caller, callee }) => service === undefined || caller === service || callee === service,
  );
  const { foldedAt, evaluatedAt } = data.meta.freshness;
  return (
    <section class={isPlaceholderData ? 'card part dimmed' : 'card part'}>
      <h2>{texts.neighbours}</h2>
      {calls.length === 0 ? <p class="soft">{texts.noNeighbours}</p> : children(data.data, calls)}
      <p class="soft">{texts.notCounted}</p>
      {foldedAt < evaluatedAt && <p class="soft">{texts.notYetCounted}</p>}
    </section>
  );
}
