import type { AlertMetric } from '../alert-fields.ts';

/** What alerts watch, in English: for the dashboard and for messages. */
export const metricNames: Record<AlertMetric, string> = {
  visitors_now: 'Visitors now',
  visits: 'Visits',
  pageviews: 'Page views',
  conversions: 'Conversions',
  conversion_rate: 'Conversion rate',
  revenue: 'Revenue',
  events: 'Events',
  dropped: 'Refused events',
  error_rate: 'Error rate',
  requests: 'Requests',
  p50: 'Median duration',
  p95: 'Duration at p95',
  p99: 'Duration at p99',
  logs: 'Log records',
  metric: 'Metric of the catalogue',
  outcomes: 'Outcomes',
  silence: 'Silence of a service',
  new_error: 'New errors',
  returned_error: 'Returned errors',
};
