import { describe, expect, test } from 'vitest';
import { ASKED } from '../../lib/http/service-health.ts';
import { planGatewayRoutes, renderGatewayRoutes } from '../../scripts/routes/gateway-routes.ts';
import { readDeployment } from '../../tooling/deployment.ts';
import { bind, makeFunction } from './fixtures.ts';

const gateway = makeFunction('gateway', { services: [bind('track'), bind('docs')] });
const track = (...routes: string[]) => makeFunction('track', { routes });
const docs = makeFunction('docs', { routes: ['vendor.example/*'] });

describe('the dispatch table', () => {
  test('tries exact paths first and then longer ones', () => {
    const routes = planGatewayRoutes([
      docs,
      track('vendor.example/api/v1/track*', 'vendor.example/api*', 'vendor.example/api/v1'),
      gateway,
    ]);
    expect(routes).toEqual([
      { path: '/api/v1', wildcard: false, binding: 'TRACK' },
      { path: '/api/v1/track', wildcard: true, binding: 'TRACK' },
      { path: '/api', wildcard: true, binding: 'TRACK' },
      { path: '/', wildcard: true, binding: 'DOCS' },
    ]);
  });

  test('leaves other hosts out', () => {
    expect(planGatewayRoutes([makeFunction('content', { routes: ['content.example/*'] }), gateway])).toEqual(
      [],
    );
  });

  test('refuses a function that the gateway is not bound to', () => {
    const sites = makeFunction('sites', { routes: ['vendor.example/api/v1/sites*'] });
    expect(() => planGatewayRoutes([sites, gateway])).toThrow('needs a service binding for vendor-sites');
  });

  test('takes no binding to an entrypoint with a name: that isn’t public', () => {
    const inside = makeFunction('gateway', { services: [{ ...bind('docs'), entrypoint: 'Health' }] });
    expect(() => planGatewayRoutes([docs, inside])).toThrow('needs a service binding for vendor-docs');
  });

  test('refuses a wildcard that the edge does not know', () => {
    expect(() => planGatewayRoutes([track('vendor.example/a*/b*'), gateway])).toThrow('only at the end');
  });

  test('is written as a module', () => {
    expect(renderGatewayRoutes(planGatewayRoutes([docs, gateway]))).toContain(
      "  { path: '/', wildcard: true, binding: 'DOCS' },\n] as const;\n",
    );
  });
});

test('what functions ask of each other is bound to these alone', () => {
  const bound = readDeployment().flatMap(({ fn, services }) =>
    services.flatMap(({ service, entrypoint }) => (entrypoint ? [`${fn}: ${entrypoint} of ${service}`] : [])),
  );
  expect(bound.filter((line) => !line.startsWith('docs: Health of '))).toEqual([
    'track: Policies of vendor-sites',
    'track: Messages of vendor-ingest',
    'sites: Messages of vendor-ingest',
    'messages: MailFigures of vendor-analytics',
    'dashboard: SharePages of vendor-analytics',
  ]);
  expect(bound).toHaveLength(5 + ASKED.length);
});
