/** The dashboard's view that shows what an alert is about. Pure. */
import type { Rule, Subject } from './alert-subject.ts';

interface Viewed {
  id: string;
  project_id: string;
  site_id: string | null;
  environment_id: string | null;
  metric: Rule['metric'];
  subject: Subject;
}

/** A path with a query, on the service's own host. */
export function viewOf({ project_id, site_id, environment_id, metric, subject }: Viewed): string {
  if (site_id !== null) {
    const query = new URLSearchParams({ period: '24h' });
    for (const [name, value] of Object.entries(subject.filters ?? {}))
      query.set(`filter_${name}`, String(value));
    return `/sites/${site_id}${SITE_PAGES[metric] ?? ''}?${query}`;
  }
  const query = new URLSearchParams({ period: '1h' });
  const { service, metricName, severity, text } = subject;
  if (service !== undefined) query.set('service', service);
  if (metricName !== undefined) query.set('name', metricName);
  if (severity !== undefined) query.set('severity', severity);
  if (text !== undefined) query.set('text', text);
  return `/projects/${project_id}/${environment_id}/${BACKEND_PAGES[metric] ?? 'services'}?${query}`;
}

const SITE_PAGES: Partial<Record<Rule['metric'], string>> = {
  visitors_now: '/live',
  conversions: '/goals',
  conversion_rate: '/goals',
  events: '/events',
};
const BACKEND_PAGES: Partial<Record<Rule['metric'], string>> = {
  logs: 'logs',
  metric: 'metrics',
  outcomes: 'outcomes',
  silence: 'connection',
  new_error: 'errors',
  returned_error: 'errors',
};
