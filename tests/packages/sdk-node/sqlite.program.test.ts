/** Every way to execute a statement by node:sqlite makes one span that ends, and the application gets what it gets without the SDK. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { SpanRow } from '../../../lib/otlp/rows.ts';
import { playService } from './play-service.ts';
import { NODES, REGISTER, runApp, variables } from './run-app.ts';

const PROGRAM = fileURLToPath(new URL('apps/sqlite-ways.mjs', import.meta.url));

/** Names of spans, with what SQLite calls their error. */
const EXPECTED: Record<string, readonly string[]> = {
  exec: ['INSERT words'],
  'exec, failing': ['INSERT words: 275 constraint failed'],
  'exec, wrong SQL': ['SELECT: 1 SQL logic error'],
  run: ['INSERT words'],
  'run, failing': ['INSERT words: 275 constraint failed'],
  'run, wrong argument': ['INSERT words: ERR_INVALID_ARG_TYPE'],
  get: ['SELECT words'],
  'get nothing': ['SELECT words'],
  all: ['SELECT words'],
  'iterate to the end': ['SELECT words'],
  'iterate, broken off': ['SELECT words'],
  'iterate, the loop throws': ['SELECT words'],
  'iterate, failing': ['SELECT words: 1 SQL logic error'],
  'iterate by hand': ['SELECT words'],
  'iterate by helpers': ['SELECT words'],
  'prepare, failing': ['SELECT nowhere: 1 SQL logic error'],
  'prepare alone': [],
  'no text': ['sqlite: ERR_INVALID_ARG_TYPE'],
  'tag store, all': ['SELECT words'],
  'tag store, get': ['SELECT words'],
  'tag store, run': ['INSERT words'],
  'tag store, iterate': ['SELECT words'],
  'tag store, failing': ['SELECT nowhere: 1 SQL logic error'],
};

function describeSpan({ name, attributes, statusCode, statusMessage }: SpanRow): string {
  return statusCode === 2 ? `${name}: ${attributes['error.type']} ${statusMessage}`.trim() : name;
}

test.each(NODES)('exec, run, get, all, iterate, tag stores and failed prepares: %s', async (node) => {
  const service = await playService();
  try {
    const bare = await runApp(PROGRAM, { node });
    expect(bare).toMatchObject({ said: [], end: 0 });
    const ours = await runApp(PROGRAM, { node, args: REGISTER, env: variables(service.url) });
    expect(ours).toEqual(bare);

    const { spans } = service;
    const ways = spans.filter(({ parentSpanId, kind }) => parentSpanId === null && kind !== 3);
    const made = Object.fromEntries(
      ways.map((way) => [
        way.name,
        spans.filter(({ parentSpanId }) => parentSpanId === way.spanId).map(describeSpan),
      ]),
    );
    // Node.js 22 has no tag stores.
    const names = bare.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)[0]]));
    expect(made).toEqual(Object.fromEntries(names.map((name) => [name, EXPECTED[name]])));
    expect(names.length).toBeGreaterThanOrEqual(18);
    for (const { kind, attributes, events } of spans.filter(({ parentSpanId }) => parentSpanId !== null)) {
      expect({ kind, events }).toEqual({ kind: 3, events: [] });
      expect(attributes).toMatchObject({ 'db.system.name': 'sqlite', 'db.namespace': ':memory:' });
    }
    expect(JSON.stringify(spans)).not.toContain('secret');
  } finally {
    service.close();
  }
});
