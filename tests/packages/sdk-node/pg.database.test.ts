/** Every way to execute a statement by pg makes one span that ends, and the application gets what it gets without the SDK. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { SpanRow } from '../../../lib/otlp/rows.ts';
import { playService } from './play-service.ts';
import { type Ended, REGISTER, type Run, runApp, variables } from './run-app.ts';
import { startShopDatabase } from './shop-database.ts';

const PROGRAM = fileURLToPath(new URL('apps/pg-ways.mjs', import.meta.url));
const OK = 0;
const ERROR = 2;
/** `invalid input syntax for type integer`, whose message has the value. */
const INVALID = '22P02';
const NOWHERE = '42P01';

/** The names of the spans, or their PostgreSQL error. */
const EXPECTED: Record<string, readonly string[]> = {
  text: ['SELECT generate_series'],
  'text and values': ['SELECT'],
  callback: ['SELECT'],
  'values and callback': ['SELECT'],
  config: ['SELECT'],
  'config, values': ['SELECT'],
  'config with callback': ['SELECT'],
  'config, callback': ['SELECT'],
  'named, twice': ['SELECT', 'SELECT'],
  'rows as lists': ['SELECT generate_series'],
  types: ['SELECT'],
  several: ['SELECT SELECT'],
  'side by side': ['SELECT', 'SELECT'],
  'pg.Query, events': ['SELECT generate_series'],
  'pg.Query, callback': ['SELECT generate_series'],
  'pg.Query, failing': [INVALID],
  'cursor to the end': ['SELECT generate_series'],
  'cursor closed early': ['SELECT generate_series'],
  'cursor failing': [INVALID],
  'cursor that is wrong': [NOWHERE],
  'stream to the end': ['SELECT generate_series'],
  'stream broken off': ['SELECT generate_series'],
  'stream failing': [INVALID],
  failing: [INVALID],
  'callback, failing': [INVALID],
  'nowhere, by values': [NOWHERE],
  'nothing to execute': ['postgresql'],
  pool: ['SELECT'],
  'pool, callback': ['SELECT'],
  'pool, failing': [INVALID],
};

/** On a database of its own. */
async function runWays({ args = [], env = {} }: Run = {}): Promise<Ended> {
  const database = await startShopDatabase();
  try {
    const given = { SHOP_DATABASE_URL: database.url };
    return await runApp(PROGRAM, { args, env: { ...env, ...given } });
  } finally {
    await database.close();
  }
}

test('pg: promise, callback, config, named statements, pg.Query, cursors and query streams', async () => {
  const service = await playService();
  try {
    const bare = await runWays();
    expect(bare).toMatchObject({ said: [], end: 0 });
    const ours = await runWays({ args: REGISTER, env: variables(service.url) });
    expect(ours).toEqual(bare);

    const { spans } = service;
    const ways = spans.filter(({ parentSpanId }) => parentSpanId === null);
    const childrenOf = ({ spanId }: SpanRow): SpanRow[] =>
      spans.filter(({ parentSpanId }) => parentSpanId === spanId);
    const made = Object.fromEntries(
      ways.map((way) => [
        way.name,
        childrenOf(way).map(({ name, attributes }) => String(attributes['db.response.status_code'] ?? name)),
      ]),
    );
    expect(made).toEqual(EXPECTED);
    const statements = ways.flatMap(childrenOf);
    expect(spans).toHaveLength(ways.length + statements.length);
    for (const { kind, attributes, statusCode, statusMessage, events } of statements) {
      const code = attributes['db.response.status_code'];
      expect({ kind, statusCode, statusMessage, events }).toEqual({
        kind: 3,
        statusCode: code === undefined ? OK : ERROR,
        statusMessage: code === undefined ? '' : `PostgreSQL: ${code}`,
        events: [],
      });
      expect(attributes['error.type']).toBe(code);
      expect(attributes['db.system.name']).toBe('postgresql');
    }
    expect(JSON.stringify(spans)).not.toContain('secret');
    expect(service.metrics).toContain('db.client.operation.duration');
    expect(service.metrics).toContain('db.client.connection.count');
  } finally {
    service.close();
  }
});
