import { Link } from 'wouter-preact';
import { exact, percent, rate } from '../../format.ts';
import { type EnvironmentIds, type Fields, keptRange, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';

/** 12.3/s, or per minute if that is easier to read. */
export const rateText = (perSecond: number): string => {
  const { perSecond: second, perMinute } = backendWords.services;
  return perSecond >= 1 || perSecond === 0 ? second(rate(perSecond)) : perMinute(rate(perSecond * 60));
};

/** Without entries there is no latency, which isn't 0. */
export const optionalMs = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value);

interface FailedLinkProps {
  environment: EnvironmentIds;
  fields: Fields;
  service: string;
  operation?: string | undefined;
  errors: number;
  entries: number;
}

/** The share of entries that failed. If any did, a click shows their traces. */
export function FailedLink({ environment, fields, service, operation, errors, entries }: FailedLinkProps) {
  const rate = <ErrorRate errors={errors} entries={entries} />;
  if (errors === 0) return rate;
  const asked = {
    ...keptRange(fields),
    service,
    ...(operation !== undefined && { operation }),
    status: 'error',
  };
  return (
    <Link
      href={viewHref(environment, 'traces', asked)}
      aria-label={`${backendWords.services.failed}: ${operation ?? service}, ${percent((100 * errors) / entries, 1)}`}
    >
      {rate}
    </Link>
  );
}

/** The share of entries that failed, with their number. Without entries there is none. */
export const ErrorRate = ({ errors, entries }: { errors: number; entries: number }) => (
  <span class={errors > 0 ? 'wrong' : undefined} title={backendWords.traces.errors(errors, exact(errors))}>
    {entries === 0 ? '–' : percent((100 * errors) / entries, 1)}
  </span>
);
