import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { listExemplars } from '../../api/operations.generated.ts';
import { rate, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { askedOf, type EnvironmentIds, keptRange, useFields, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';

const ASKED = ['name', 'service', 'type', 'unit'];
const LIMIT = 20;

/** Measured values of the metric in the address, each with the way to its trace. Nothing where senders give none. */
export function Exemplars({ environment }: { environment: EnvironmentIds }) {
  const { fields } = useFields();
  const texts = backendWords.metrics;
  const asked = {
    ...(askedOf(environment, fields, ASKED) as Parameters<typeof listExemplars>[0]),
    limit: LIMIT,
  };
  const { data, error, refetch } = useQuery({
    queryKey: ['exemplars', asked],
    queryFn: ({ signal }) => listExemplars(asked, signal),
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined || data.data.length === 0) return null;
  return (
    <section class="card part" aria-label={texts.exemplars}>
      <h2>{texts.exemplars}</h2>
      <Scrolls label={texts.exemplars}>
        <table class="list-table">
          <thead>
            <tr>
              <th>{texts.measuredAt}</th>
              <th class="number">{texts.value}</th>
              <th>{backendWords.trace.title}</th>
              <th>{backendWords.filters.service}</th>
              <th>{backendWords.trace.attributes}</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map(({ time: at, value, service, attributes, traceId, spanId }, index) => (
              <tr key={index}>
                <td>{time(at, 'instant', 'UTC')}</td>
                <td class="number">{typeof value === 'number' ? rate(value) : value}</td>
                <td>
                  {traceId && (
                    <Link
                      href={viewHref(environment, `traces/${traceId}`, {
                        ...keptRange(fields),
                        span: spanId ?? undefined,
                      })}
                    >
                      {backendWords.logs.toTrace}
                    </Link>
                  )}
                </td>
                <td>{service}</td>
                <td class="soft">
                  {Object.entries(attributes)
                    .map(([key, of]) => `${key}=${String(of)}`)
                    .join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </section>
  );
}
