/** What the door of agents costs: calls of tools beside the same verbs over REST, and beside a tool of the SDK that does nothing. */
import { join } from 'node:path';
import { fillSite } from '../dev/demo/fill-demo-site.ts';
import { type Stack, startStack } from '../dev/stack.ts';
import { addQueryToken } from '../tests/security/session.ts';
import { addMember, createTenant } from '../tests/security/tenant.ts';
import { type FunctionSpec, ROOT, readDeployment } from '../tooling/deployment.ts';
import type { BenchOptions } from './bench-options.ts';
import type { Benchmark } from './benchmark.ts';
import { callMessage } from './content/tool-call.ts';
import { median } from './median.ts';
import { printTable, type Row, times } from './print-table.ts';
import { withDatabase } from './with-database.ts';

const DAYS = 30;
const SEED = 7;
/** Requests of a way: enough for a median, and few enough for the limits of these people. */
const ROUNDS = 100;
const WARM_UP = 10;
const PEOPLE = 12;
const AIM = 1.3;
const PARTS = ['overview', 'timeseries', 'pages:5', 'sources:5', 'countries:5', 'devices:5', 'goals'];

interface Verb {
  what: string;
  tool: string;
  args: Record<string, unknown>;
  /** The same over REST. */
  path: string;
}

const VERBS: readonly Verb[] = [
  {
    what: 'break_down_visits by page, 30 days',
    ...{ tool: 'break_down_visits', args: { by: 'page' }, path: 'pages' },
  },
  {
    what: 'break_down_visits by source, filtered',
    ...{ tool: 'break_down_visits', args: { by: 'source', filters: ['country is PT'] } },
    path: 'sources?filter_country=PT',
  },
  {
    what: 'summarize_site, 30 days',
    ...{ tool: 'summarize_site', args: {} },
    path: `reports?report=${PARTS.join(',')}&interval=day`,
  },
];

/** A person's keys: limits count by person and by token. */
interface Keys {
  rest: string;
  agent: string;
}

type Way = 'bare' | 'rest' | 'agent';

export const mcp: Benchmark = {
  name: 'mcp',
  summary: 'calls of an agent’s tools beside the same verbs over REST and beside an empty tool',
  run: (options) => withDatabase(options.database, (url) => measure(url, options)),
};

async function measure(url: string, { redis }: BenchOptions): Promise<void> {
  const stack = await startStack({ database: { url }, redis, functions: withBare(readDeployment()) });
  try {
    const { siteId, keys } = await fill(stack);
    const rows: Row[] = [];
    for (const verb of VERBS) {
      const taken: Record<Way, number[]> = { bare: [], rest: [], agent: [] };
      for (let n = -WARM_UP; n < ROUNDS; n++) {
        const own = keys[(n + WARM_UP) % PEOPLE] as Keys;
        // In turns, so that other load on the machine affects all of them.
        for (const way of ['bare', 'rest', 'agent'] as const) {
          const ms = await ask(stack, way, { verb, siteId, keys: own });
          if (n >= 0) taken[way].push(ms);
        }
      }
      const [bare, rest, agent] = [median(taken.bare), median(taken.rest), median(taken.agent)];
      const figure = `${agent.toFixed(2)} ms`;
      rows.push(
        {
          ...{ what: verb.what, figure, baseline: `REST: ${rest.toFixed(2)} ms` },
          ...{ ratio: times(agent / rest, 2), aim: `at most ${AIM}x` },
        },
        {
          what: '',
          figure,
          baseline: `bare SDK handler, empty tool: ${bare.toFixed(2)} ms`,
          ratio: times(agent / bare, 2),
        },
      );
      console.error(`  ${verb.what}`);
    }
    printTable(`tools/call, one at a time; medians of ${ROUNDS}, ${DAYS} days of a site`, rows);
  } finally {
    await stack.close();
  }
}

function withBare(functions: FunctionSpec[]): FunctionSpec[] {
  const main = join(ROOT, 'bench/bare-mcp/index.ts');
  return functions.map((spec) => (spec.fn === 'mcp' ? { ...spec, main } : spec));
}

async function fill({ sql }: Stack): Promise<{ siteId: string; keys: Keys[] }> {
  const { siteId, projectId } = await createTenant(sql);
  await fillSite({ sql, siteId, days: DAYS, seed: SEED, now: Date.now(), onDay: () => {} });
  const keys = await Promise.all(
    Array.from({ length: PEOPLE }, async () => {
      const { userId, token: rest } = await addMember(sql, projectId, 'viewer');
      return { rest, agent: (await addQueryToken(sql, userId)).token };
    }),
  );
  return { siteId, keys };
}

/** Milliseconds until the whole answer is there. Throws for anything but the answer: errors are fast. */
async function ask(
  stack: Stack,
  way: Way,
  { verb, siteId, keys }: { verb: Verb; siteId: string; keys: Keys },
): Promise<number> {
  const call = callMessage(
    '2026-07-28',
    way === 'bare' ? { tool: 'empty', args: {} } : { ...verb, args: { ...verb.args, site: siteId } },
  );
  const headers = {
    ...call.headers,
    Authorization: `Bearer ${keys.agent}`,
    ...(way === 'bare' && { 'X-Bare': '1' }),
  };
  const start = performance.now();
  const response =
    way === 'rest'
      ? await stack.fetch(`/api/v1/sites/${siteId}/analytics/${verb.path}`, {
          headers: { Authorization: `Bearer ${keys.rest}` },
        })
      : await stack.fetch('/mcp', { method: 'POST', headers, body: call.body });
  const text = await response.text();
  const ms = performance.now() - start;
  if (!response.ok || !text.includes(way === 'rest' ? '"data"' : '"structuredContent"'))
    throw new Error(`${verb.what}, ${way}: ${response.status} ${text.slice(0, 300)}`);
  return ms;
}
