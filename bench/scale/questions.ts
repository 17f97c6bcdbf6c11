/** Everything that people ask of a site and of an environment, as paths of the service. */
import { VALUE_LISTS } from '../../lib/visits/dimensions.ts';
import { traceIdOf } from './made-signals.ts';

export interface AskedQuestion {
  name: string;
  path: string;
  /** Who may ask it. */
  of: 'large site' | 'small site';
}

export interface Asked {
  largeSite: string;
  smallSite: string;
  funnelId: string;
  projectId: string;
  environmentId: string;
  /** The number of a span that is stored. */
  span: number;
}

const LISTS = [
  'pages',
  'entry-pages',
  'exit-pages',
  'engagement',
  'vitals',
  'events',
  'journeys',
  'retention',
];
const TWELVE = [
  ...['overview', 'timeseries', 'pages', 'entry-pages', 'exit-pages', 'sources', 'channels', 'countries'],
  ...['regions', 'devices', 'browsers', 'operating-systems'],
];
const COUNTRY = 'filter_country=PT';
const HISTOGRAM = 'name=http.server.request.duration';

export function questionsAtSize(asked: Asked): AskedQuestion[] {
  const { largeSite, smallSite, funnelId, projectId, environmentId, span } = asked;
  const report = (name: string, query = ''): AskedQuestion => ({
    name: query === '' ? name : `${name}, ${query.replace(/^(filter|compare)_?\w*=/, '')}`,
    path: `/api/v1/sites/${largeSite}/analytics/${name}?period=90d${query === '' ? '' : `&${query}`}`,
    of: 'large site',
  });
  const small = (name: string, query = ''): AskedQuestion => ({
    ...report(name, query),
    name: `small site: ${report(name, query).name}`,
    path: report(name, query).path.replace(largeSite, smallSite),
    of: 'small site',
  });
  const telemetry = (name: string, path: string): AskedQuestion => ({
    ...{ name, of: 'large site' },
    path: `/api/v1/telemetry/projects/${projectId}/environments/${environmentId}/${path}`,
  });
  const lists = [...LISTS, ...VALUE_LISTS.map(({ path }) => path)];
  const twelve = `report=${TWELVE.join(',')}`;
  return [
    report('overview', 'compare=previous'),
    report('timeseries', 'interval=day'),
    report('timeseries', 'interval=day&by=source&limit=5'),
    report('heatmap'),
    ...lists.map((name) => report(name)),
    report('utm', 'by=campaign'),
    report('events/purchase/props'),
    report('goals/report'),
    { ...report(`funnels/${funnelId}/report`), name: 'funnels/:id/report' },
    report('dropped'),
    { ...report('live'), path: `/api/v1/sites/${largeSite}/analytics/live` },
    { ...report('reports', twelve), name: 'twelve reports' },
    { ...report('overview', COUNTRY), name: 'overview, one country' },
    { ...report('pages', COUNTRY), name: 'pages, one country' },
    { ...report('reports', `${twelve}&${COUNTRY}`), name: 'twelve reports, one country' },
    small('overview', 'compare=previous'),
    small('pages'),
    { ...small('reports', twelve), name: 'small site: twelve reports' },
    { ...small('reports', `${twelve}&${COUNTRY}`), name: 'small site: twelve reports, one country' },
    telemetry('services, 24 h', 'services?period=24h'),
    telemetry('service summary, 24 h', 'service-summary?service=cart&period=24h'),
    telemetry('service map, 24 h', 'service-map?period=24h'),
    telemetry('newest traces', 'traces?period=24h&limit=50'),
    telemetry('failed traces', 'traces?period=24h&status=error&limit=50'),
    telemetry('slow traces of a service', 'traces?period=24h&service=shop&minDurationMs=200&limit=50'),
    telemetry('traces by an attribute', 'traces?period=24h&attr.customer=c-77&limit=50'),
    telemetry('a trace', `traces/${traceIdOf(span)}`),
    telemetry('newest logs', 'logs?period=24h&limit=50'),
    telemetry('logs by a word', 'logs?period=24h&text=declined&limit=50'),
    telemetry('failed logs', 'logs?period=24h&severity=error&limit=50'),
    telemetry('log volume', 'log-volume?period=24h'),
    telemetry('latency histogram', 'latency-histogram?service=cart&period=24h'),
    telemetry('latency heat map', 'latency-histogram?service=cart&period=24h&interval=15m'),
    telemetry('metric catalog', 'metric-catalog?period=24h'),
    telemetry('a metric by service', `metrics?${HISTOGRAM}&aggregation=p95&groupBy=service&period=24h`),
    telemetry('connection status', 'connection-status'),
  ];
}
