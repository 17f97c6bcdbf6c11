/** Which metrics an alert may watch, and what goes with each. Without schemas: the dashboard reads it too. */

export const SITE_METRICS = [
  'visitors_now',
  'visits',
  'pageviews',
  'conversions',
  'conversion_rate',
  'revenue',
  'events',
  'dropped',
] as const;
export type SiteMetric = (typeof SITE_METRICS)[number];

export const ENVIRONMENT_METRICS = [
  'error_rate',
  'requests',
  'p50',
  'p95',
  'p99',
  'logs',
  'metric',
  'outcomes',
  'silence',
  'new_error',
  'returned_error',
] as const;
export type EnvironmentMetric = (typeof ENVIRONMENT_METRICS)[number];

export const COMPARES = ['above', 'below', 'rose_by', 'fell_by', 'silent'] as const;
export type Compare = (typeof COMPARES)[number];

/** The dimensions of visits that are counted by the minute. */
export const MINUTE_DIMENSIONS = ['source', 'channel', 'country', 'device', 'entry_page'] as const;
export type MinuteDimension = (typeof MINUTE_DIMENSIONS)[number];

export type AlertMetric = SiteMetric | EnvironmentMetric;

export const SITE_FIELDS = ['goalId', 'event', 'currency', 'filters'] as const;
export const ENVIRONMENT_FIELDS = [
  ...(['service', 'operation', 'severity', 'text'] as const),
  ...(['metricName', 'aggregation', 'outcomeType'] as const),
] as const;
export type SubjectField = (typeof SITE_FIELDS)[number] | (typeof ENVIRONMENT_FIELDS)[number];

/** The fields that go with a metric. A field with `true` is required. */
export const FIELDS: Record<AlertMetric, Partial<Record<SubjectField, boolean>>> = {
  visitors_now: { filters: false },
  visits: { filters: false },
  pageviews: { filters: false },
  conversions: { goalId: true, filters: false },
  conversion_rate: { goalId: true, filters: false },
  revenue: { currency: true, filters: false },
  events: { event: false, filters: false },
  dropped: {},
  error_rate: { service: false, operation: false },
  requests: { service: false, operation: false },
  p50: { service: true, operation: false },
  p95: { service: true, operation: false },
  p99: { service: true, operation: false },
  logs: { service: false, severity: false, text: false },
  metric: { service: false, metricName: true, aggregation: true },
  outcomes: { outcomeType: false },
  silence: { service: true },
  new_error: { service: false },
  returned_error: { service: false },
};

/** Groups of errors. They are made a minute after the errors at most, so the time that is looked at overlaps the last round's. */
export const ERROR_METRICS = ['new_error', 'returned_error'] as const satisfies readonly EnvironmentMetric[];
export const LEAST_ERROR_MINUTES = 5;
export const isOfErrors = (metric: AlertMetric): boolean => ERROR_METRICS.some((one) => one === metric);

/** Metrics that count things: 0 is an answer, and they can be silent. */
export const COUNTS: readonly string[] = [
  'visitors_now',
  'visits',
  'pageviews',
  'conversions',
  'revenue',
  'events',
  'dropped',
  'requests',
  'logs',
  'outcomes',
  'silence',
  ...ERROR_METRICS,
];
/** Metrics without sums of four weeks. */
export const NO_BASELINE: readonly string[] = ['logs', 'silence', 'metric', ...ERROR_METRICS];
/** What isn't summed by the alert's own subject is read for an hour at most. */
export const SHORT: readonly string[] = ['logs', 'metric'];
export const MAX_SHORT_MINUTES = 60;

export type Unit = 'count' | 'percent' | 'ms' | 'currency';

export function unitOf({ metric }: { metric: AlertMetric }): Unit {
  switch (metric) {
    case 'conversion_rate':
    case 'error_rate':
      return 'percent';
    case 'p50':
    case 'p95':
    case 'p99':
      return 'ms';
    case 'revenue':
      return 'currency';
    default:
      return 'count';
  }
}
