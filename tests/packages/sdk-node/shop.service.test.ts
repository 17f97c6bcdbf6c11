/** What a backend sends, by each way of starting, out of the service's own queries. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sumErrors } from '../../../lib/telemetry/errors/sum-errors.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { NODES, runApp, variables } from './run-app.ts';
import { startShopDatabase } from './shop-database.ts';

const stack = useStack();
const app = (name: string): string => fileURLToPath(new URL(`apps/${name}`, import.meta.url));

let database: Awaited<ReturnType<typeof startShopDatabase>>;
beforeAll(async () => {
  database = await startShopDatabase();
});
afterAll(() => database.close());

const readReadme = () => readFile(new URL('../../../packages/sdk-node/README.md', import.meta.url), 'utf8');

test('the bootstrap of the README is the one that runs here', async () => {
  const readme = await readReadme();
  const [, bootstrap] = /```js\n\/\/ bootstrap\.mjs\n(.*?)```/s.exec(readme) ?? [];
  expect(bootstrap?.replace('./app.mjs', './shop.mjs')).toBe(await readFile(app('bootstrap.mjs'), 'utf8'));
});

/** The ways of the README. */
const WAYS: [way: string, args: string[]][] = [
  [
    'a bootstrap behind the loader’s hook',
    ['--experimental-loader', '@vendor/sdk-node/hook', app('bootstrap.mjs')],
  ],
  ['a bootstrap alone', [app('bootstrap.mjs')]],
  ['--import', ['--import', '@vendor/sdk-node/register', app('shop.mjs')]],
  ['start() in CommonJS', [app('shop.cjs')]],
];

test.each(NODES.flatMap((node) => WAYS.map(([way, args]) => ({ node, way, args }))))(
  '$way: $node',
  async ({ node, args }) => {
    const { sql, baseUrl } = stack();
    const tenant = await createTenant(sql);
    const { key, environmentId } = await addIngestKey(sql, tenant.projectId);
    const { stdout, said, end } = await runApp(args.at(-1) ?? '', {
      node,
      args: args.slice(0, -1),
      env: {
        ...variables(baseUrl),
        VENDOR_API_KEY: key,
        SHOP_DATABASE_URL: database.url,
        SHOP_NOW: new Date().toISOString(),
      },
    });
    expect({ said, end }).toEqual({ said: [], end: 0 });
    expect(stdout).toContain(
      'answers [[200,"{\\"item\\":\\"pick\\",\\"word\\":\\"secret\\",\\"id\\":7,\\"status\\":\\"created\\"}"],[500,""]]',
    );

    const spans = await sql`
    select spans.name, kind, status, coalesce(status_message, '') as message, spans.attributes, service,
      trace_id_text(trace_id) as trace, span_id_text(span_id) as id, span_id_text(parent_span_id) as parent
    from spans
    join environments on environments.key = environment_key and environments.id = ${environmentId}
    join otlp_resources resource on resource.environment_key = environments.key and resource.id = resource_id
    order by start_nano`;
    const named = (name: string) => spans.filter((span) => span.name === name);
    expect(JSON.stringify(spans)).not.toContain('secret');
    expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['shop']));
    const [server] = named('GET /orders/:id');
    const [word] = named('SELECT');
    expect(server?.attributes).toMatchObject({
      'http.route': '/orders/:id',
      'http.response.status_code': 200,
    });
    expect(word).toMatchObject({ kind: 3, trace: server?.trace, parent: server?.id });
    expect(word?.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.query.text': 'select ? as word, $1::int as id',
    });
    expect(named('SELECT basket')).toMatchObject([
      { kind: 3, parent: server?.id, attributes: { 'db.system.name': 'sqlite', 'db.namespace': ':memory:' } },
    ]);
    expect(named('SELECT nowhere')).toMatchObject([
      { kind: 3, status: 2, message: 'PostgreSQL: 42P01', attributes: { 'error.type': '42P01' } },
    ]);
    const [client] = spans.filter(({ id }) => id === server?.parent);
    expect(client).toMatchObject({ kind: 3, name: 'GET', trace: server?.trace });
    expect(client?.attributes['url.full']).toMatch(/\/orders\/7$/);
    expect(spans.filter(({ kind }) => kind === 2)).toHaveLength(2);

    const logs = await sql`
    select severity, body, logs.attributes, trace_id_text(trace_id) as trace, span_id_text(span_id) as span
    from logs join environments on environments.key = environment_key and environments.id = ${environmentId}
    order by severity`;
    expect(logs).toMatchObject([
      {
        severity: 9,
        body: 'ordered',
        attributes: { order: 7, card: '[Redacted]' },
        trace: server?.trace,
        span: server?.id,
      },
      { severity: 17, body: 'failed', attributes: { 'exception.type': 'DatabaseError' } },
    ]);

    await sumErrors({ sql, now: Date.now });
    const groups = await sql`
    select type, location from error_groups
    join environments on environments.key = environment_key and environments.id = ${environmentId}
    order by type collate "C"`;
    expect(groups).toEqual([
      { type: '42P01', location: 'SELECT nowhere' },
      { type: '500', location: 'GET' },
      { type: 'DatabaseError', location: 'sdk-node/apps/make-shop.mjs' },
    ]);

    const series = await sql`
    select distinct series.name from metric_series series
    join environments on environments.key = environment_key and environments.id = ${environmentId}`;
    expect(series.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'http.server.request.duration',
        'http.client.request.duration',
        'db.client.operation.duration',
        'nodejs.eventloop.utilization',
        'v8js.memory.heap.used',
        'process.cpu.time',
        'process.memory.usage',
      ]),
    );

    // What the README doesn't name isn't sent.
    const fields = await sql`
    select distinct field from (
      select jsonb_object_keys(attributes) as field, environment_key from spans
      union all select jsonb_object_keys(attributes), environment_key from otlp_resources
      union all select jsonb_object_keys(attributes), environment_key from metric_series
      union all select name, environment_key from metric_series
    ) sent
    join environments on environments.key = environment_key and environments.id = ${environmentId}`;
    const readme = await readReadme();
    expect(fields.map(({ field }) => field).filter((field) => !readme.includes(`\`${field}\``))).toEqual([]);

    const outcomes = await sql`
    select type, trace_id_text(outcomes.trace_id) as trace from outcomes
    join environments on environments.key = environment_key and environments.id = ${environmentId}`;
    expect(outcomes).toMatchObject([{ type: 'order.paid', trace: server?.trace }]);
  },
);
