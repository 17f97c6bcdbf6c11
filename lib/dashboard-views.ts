/** The dashboard's views of a site and of an environment, by the last part of their addresses; `overview` has none. */

/** Of a site's reports. */
export const REPORT_VIEWS = [
  'overview',
  'goals',
  'funnels',
  'journeys',
  'retention',
  'heatmap',
  'events',
  'live',
] as const;
export const SITE_VIEWS = [...REPORT_VIEWS, 'alerts', 'settings'] as const;

/** Of an environment's telemetry and outcomes. */
export const TELEMETRY_VIEWS = ['services', 'errors', 'traces', 'logs', 'metrics', 'outcomes'] as const;
export const ENVIRONMENT_VIEWS = [...TELEMETRY_VIEWS, 'alerts', 'connection'] as const;
