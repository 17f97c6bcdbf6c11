/** What a page of a listed origin learns of the trace that answered it, and that everything else of an answer stays as it was. */
import { expect, test } from 'vitest';
import { type PlayedService, playService } from './play-service.ts';
import { NODES, REGISTER, type Run, runApp, variables } from './run-app.ts';

type Answer = [status: number, reason: string, rawHeaders: string[], body: string, trailers: object];

const ORIGIN = 'https://shop.example';
const TIMING = /^traceparent;desc="00-([\da-f]{32})-([\da-f]{16})-01"$/;

/** Runs a program with the SDK, in which pages of the origin are listed. */
async function runListed(
  program: string,
  run: Run = {},
): Promise<{ stdout: string; service: PlayedService }> {
  const service = await playService();
  try {
    const { stdout, said, end } = await runApp(program, {
      args: REGISTER,
      ...run,
      env: {
        ...variables(service.url),
        VENDOR_PAGE_ORIGINS: `https://other.example, ${ORIGIN}/`,
        ...run.env,
      },
    });
    expect({ said, end }).toEqual({ said: [], end: 0 });
    return { stdout, service };
  } finally {
    service.close();
  }
}

/** Without the date, and each header once, as a list. */
function headersOf([, , raw]: Answer): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    if (name !== 'date') headers[name] = [...(headers[name] ?? []), raw[index + 1] ?? ''];
  }
  return headers;
}

const listOf = (headers: Record<string, string[]>, name: string): string[] =>
  headers[name]?.join(', ').split(', ') ?? [];

const servers = ({ spans }: PlayedService) => spans.filter(({ kind }) => kind === 2);

test.each(NODES)('each way to begin an answer, on one connection: %s', async (node) => {
  const bare = JSON.parse((await runApp('heads.mjs', { node })).stdout) as {
    answers: Answer[];
    connections: number;
  };
  const { stdout, service } = await runListed('heads.mjs', { node });
  const ours = JSON.parse(stdout) as {
    ways: { name: string; exposed: boolean }[];
    answers: Answer[];
    connections: number;
  };
  expect(ours.connections).toBe(bare.connections);
  expect(ours.answers).toHaveLength(ours.ways.length);
  const spans = servers(service);
  expect(spans.map(({ attributes }) => attributes['vendor.page.origin'])).toEqual(
    ours.ways.map(() => ORIGIN),
  );
  for (const [index, { name, exposed }] of ours.ways.entries()) {
    const [before, after] = [bare.answers[index], ours.answers[index]] as [Answer, Answer];
    const [without, withSdk] = [headersOf(before), headersOf(after)];
    const timings = listOf(withSdk, 'server-timing');
    const [, traceId, spanId] = TIMING.exec(timings.at(-1) ?? '') ?? [];
    const seen = { name, trace: traceId, span: spanId, timings: exposed ? timings.slice(0, -1) : timings };
    expect.soft(seen).toEqual({
      name,
      trace: exposed ? spans[index]?.traceId : undefined,
      span: exposed ? spans[index]?.spanId : undefined,
      timings: listOf(without, 'server-timing'),
    });
    if (exposed) {
      expect
        .soft([name, listOf(withSdk, 'access-control-expose-headers')])
        .toEqual([
          name,
          expect.arrayContaining([
            expect.stringMatching(/^server-timing$/i),
            ...listOf(without, 'access-control-expose-headers'),
          ]),
        ]);
      const allowed = listOf(without, 'timing-allow-origin');
      expect
        .soft([name, listOf(withSdk, 'timing-allow-origin')])
        .toEqual([name, allowed.includes('*') ? allowed : [...allowed, ORIGIN]]);
    }
    for (const own of ['server-timing', 'access-control-expose-headers', 'timing-allow-origin']) {
      delete without[own];
      if (exposed) delete withSdk[own];
    }
    expect
      .soft([name, after[0], after[1], withSdk, after[3], after[4]])
      .toEqual([name, before[0], before[1], without, before[3], before[4]]);
  }
});

const SHOP = { Origin: ORIGIN };
const OWN = { Host: 'shop.example', 'Sec-Fetch-Site': 'same-origin' };

test.each<[what: string, headers: Record<string, string>, exposed: 'timing' | 'all' | 'nothing']>([
  ['a listed origin', SHOP, 'all'],
  [
    'a listed origin on another site',
    { ...SHOP, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'empty' },
    'all',
  ],
  ['its own origin, with a body', { ...OWN, ...SHOP }, 'timing'],
  ['its own origin', OWN, 'timing'],
  ['its own origin behind a proxy', { ...OWN, Host: 'inner:8080', Referer: `${ORIGIN}/basket` }, 'timing'],
  ['another origin', { Origin: 'https://shop.example.evil' }, 'nothing'],
  ['another scheme', { Origin: 'http://shop.example' }, 'nothing'],
  ['no origin', {}, 'nothing'],
  ['an opaque origin', { Origin: 'null' }, 'nothing'],
  [
    'an origin that isn’t listed, behind a proxy',
    { ...OWN, Host: 'inner', Referer: 'https://shop.example.evil/' },
    'nothing',
  ],
  ['no page at all', { Host: 'shop.example' }, 'nothing'],
  ['a document', { ...OWN, 'Sec-Fetch-Dest': 'document' }, 'nothing'],
  ['an image', { ...SHOP, 'Sec-Fetch-Dest': 'image' }, 'nothing'],
  ['Global Privacy Control', { ...SHOP, 'Sec-GPC': '1' }, 'nothing'],
  ['Do Not Track', { ...SHOP, DNT: '1' }, 'nothing'],
])('%s', async (_what, headers, exposed) => {
  const { stdout, service } = await runListed('heads.mjs', {
    env: { HEADS_ASK: JSON.stringify([{ headers }]) },
  });
  const [answer] = (JSON.parse(stdout) as { answers: [Answer] }).answers;
  const names = ['server-timing', 'access-control-expose-headers', 'timing-allow-origin'];
  const seen = names.filter((name) => name in headersOf(answer));
  expect(seen).toEqual({ all: names, timing: names.slice(0, 1), nothing: [] }[exposed]);
  expect(servers(service).map(({ attributes }) => attributes['vendor.page.origin'])).toEqual([
    exposed === 'nothing' ? undefined : ORIGIN,
  ]);
});

test.each<[what: string, env: Record<string, string>]>([
  ['without the variable', { VENDOR_PAGE_ORIGINS: '' }],
  ['where nothing is sampled', { OTEL_TRACES_SAMPLER: 'always_off' }],
])('%s nobody can read the trace, whoever asks', async (_what, env) => {
  const { stdout, service } = await runListed('heads.mjs', { env });
  for (const answer of (JSON.parse(stdout) as { answers: Answer[] }).answers)
    expect(JSON.stringify(answer)).not.toContain('traceparent');
  expect(JSON.stringify(service.spans)).not.toContain('vendor.page.origin');
});

test('what isn’t an origin is said once and left out', async () => {
  const service = await playService();
  const { said } = await runApp(`console.log('works');`, {
    args: REGISTER,
    env: {
      ...variables(service.url),
      VENDOR_PAGE_ORIGINS: `${ORIGIN},shop.example,https://shop.example/path,*`,
    },
  });
  service.close();
  expect(said).toEqual(
    ['shop.example', 'https://shop.example/path', '*'].map(
      (text) =>
        `@vendor/sdk-node: VENDOR_PAGE_ORIGINS has "${text}", which is no origin such as https://shop.example; it is left out.`,
    ),
  );
});

test('Express, Fastify and http2: the same answers, with the trace but for http2', async () => {
  const program = 'page-shops.mjs';
  const bare = await runApp(program);
  expect(bare).toMatchObject({ said: [], end: 0 });
  const { stdout, service } = await runListed(program);
  const lines = (text: string): [shop: string, path: string, timing: string | null, ...unknown[]][] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const ours = lines(stdout);
  expect(ours.map(([shop, path, , ...rest]) => [shop, path, null, ...rest])).toEqual(lines(bare.stdout));
  const exposed = ours.map(([shop, path, timing]) => [shop, path, TIMING.exec(timing ?? '')?.[1]]);
  const traces = new Set(servers(service).map(({ traceId }) => traceId));
  for (const shop of ['express', 'fastify']) {
    const paths = exposed
      .filter(([name, , trace]) => name === shop && traces.has(`${trace}`))
      .map(([, path]) => path);
    expect(paths).toEqual(['/json', '/again', '/stream', '/error', '/nowhere', '/redirected', '/post']);
  }
  expect(exposed.filter(([shop]) => shop === 'http2').map(([, , trace]) => trace)).toEqual([undefined]);
});
