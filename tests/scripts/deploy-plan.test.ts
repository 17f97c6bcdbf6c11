import { describe, expect, test } from 'vitest';
import { experimental_readRawConfig } from 'wrangler';
import { type DeployInput, orderByBindings, planDeployment } from '../../scripts/deploy/deploy-plan.ts';
import { CONFIG_PATH, readDeployment } from '../../tooling/deployment.ts';
import { bind, makeFunction } from './fixtures.ts';

const names = (functions: { fn: string }[]): string => functions.map(({ fn }) => fn).join(' ');

describe('order', () => {
  test.each([
    ['nothing', [], ''],
    ['no bindings: the order of the map', [makeFunction('b'), makeFunction('a')], 'b a'],
    ['a binding first', [makeFunction('a', { services: [bind('b')] }), makeFunction('b')], 'b a'],
    [
      'a chain and a diamond',
      [
        makeFunction('gateway', { services: [bind('a'), bind('b')] }),
        makeFunction('a', { services: [bind('c')] }),
        makeFunction('b', { services: [bind('c')] }),
        makeFunction('c'),
      ],
      'c a b gateway',
    ],
    [
      'whoever reads a queue before whoever writes to it',
      [
        makeFunction('track', { producers: [{ binding: 'EVENTS', queue: 'events' }] }),
        makeFunction('ingest', { consumers: [{ queue: 'events' }] }),
      ],
      'ingest track',
    ],
  ])('%s', (_, functions, expected) => {
    expect(names(orderByBindings(functions))).toBe(expected);
  });

  test('refuses a circle and names it', () => {
    const circle = [
      makeFunction('a', { services: [bind('b')] }),
      makeFunction('b', { services: [bind('a')] }),
    ];
    expect(() => orderByBindings(circle)).toThrow('a → b → a');
  });

  test('refuses a binding that leads nowhere', () => {
    expect(() => orderByBindings([makeFunction('a', { services: [bind('b')] })])).toThrow(
      'vendor-b, which is not in',
    );
  });

  test("puts this repository's own functions after what they call", () => {
    const order = orderByBindings(readDeployment()).map(({ fn }) => fn);
    expect(order.indexOf('analytics')).toBeLessThan(order.indexOf('sites'));
    expect(order.indexOf('sites')).toBeLessThan(order.indexOf('track'));
    expect(order.indexOf('ingest')).toBeLessThan(order.indexOf('track'));
    expect(order.at(-1)).toBe('gateway');
  });
});

const OWN = { host: 'stats.acme.test', url: undefined };

describe('plan', () => {
  const input = (parts: Partial<DeployInput> = {}): DeployInput => ({
    functions: [
      makeFunction('track', {
        routes: ['vendor.example/api/v1/track*'],
        services: [bind('sites')],
        producers: [{ binding: 'EVENTS', queue: 'events' }],
      }),
      makeFunction('ingest', { consumers: [{ queue: 'events', deadLetterQueue: 'dead' }] }),
      makeFunction('sites', { routes: ['vendor.example/api/v1/sites*'], vars: { LEVEL: 'info' } }),
      makeFunction('content', { routes: ['content.vendor.example/*'], workersDev: true }),
      makeFunction('gateway', { services: [bind('track'), bind('sites')], workersDev: true }),
    ],
    config: {
      compatibility_date: '2026-10-01',
      workers_dev: false,
      env: {
        sites: {
          name: 'vendor-sites',
          main: 'functions/sites/index.ts',
          routes: [{ pattern: 'vendor.example/*' }],
        },
        gateway: { name: 'vendor-gateway', workers_dev: true },
      },
    },
    envKeys: {
      track: { required: ['ADDRESS_KEY'], optional: ['BOT_EXCEPTIONS'] },
      sites: { required: ['DATABASE_URL', 'PUBLIC_URL', 'LEVEL'], optional: [] },
      content: { required: ['CONTENT_URL', 'CURSOR_KEY'], optional: ['ALLOWED_ORIGINS'] },
    },
    only: [],
    main: OWN,
    content: { host: undefined, url: 'https://c.test' },
    ...parts,
  });
  const step = (parts: Partial<DeployInput>, fn: string) =>
    planDeployment(input(parts)).steps.find((candidate) => candidate.fn === fn);

  test.each([
    ['all, on one’s own host: no gateway', {}, 'sites ingest track content'],
    [
      'all, without one',
      { main: { host: undefined, url: 'https://g.test' } },
      'sites ingest track content gateway',
    ],
    ['one', { only: ['track'] }, 'track'],
    ['two, in their order whatever the words', { only: ['track', 'sites'] }, 'sites track'],
    ['the gateway by name', { only: ['gateway'] }, 'gateway'],
  ])('deploys %s', (_, parts, expected) => {
    expect(names(planDeployment(input(parts)).steps)).toBe(expected);
  });

  test('refuses a function that is not in the map', () => {
    expect(() => planDeployment(input({ only: ['trcak'] }))).toThrow(
      'wrangler.toml has no function named trcak',
    );
  });

  test('names every queue once, dead letters too', () => {
    expect(planDeployment(input()).queues).toEqual(['events', 'dead']);
    expect(planDeployment(input({ only: ['sites'] })).queues).toEqual([]);
  });

  test('asks for the required keys that are no vars as secrets', () => {
    expect(step({}, 'track')?.secrets).toEqual(['ADDRESS_KEY']);
    expect(step({}, 'sites')?.secrets).toEqual(['DATABASE_URL']);
    expect(step({}, 'ingest')?.secrets).toEqual([]);
  });

  test('puts the host instead of the placeholder', () => {
    expect(step({}, 'track')?.config.routes).toEqual(['stats.acme.test/api/v1/track*']);
    expect(step({}, 'sites')?.config.vars).toEqual({ LEVEL: 'info', PUBLIC_URL: 'https://stats.acme.test' });
    expect(step({}, 'ingest')?.config).not.toHaveProperty('routes');
  });

  test('leaves the routes out without a host, and gives the given address', () => {
    const parts = { main: { host: undefined, url: 'https://g.test' } };
    expect(step(parts, 'sites')?.config).not.toHaveProperty('routes');
    expect(step(parts, 'sites')?.config.vars).toMatchObject({ PUBLIC_URL: 'https://g.test' });
    expect(step(parts, 'gateway')?.config).toMatchObject({ workers_dev: true });
    expect(() => planDeployment(input({ main: { host: undefined, url: undefined } }))).toThrow(
      'Set VENDOR_HOST',
    );
  });

  test('leaves no Worker behind the gateway or a zone an address of its own, and none a preview’s', () => {
    const hosts = [undefined, 'stats.acme.test'];
    for (const host of hosts) {
      const { steps } = planDeployment(input({ main: { host, url: 'https://g.test' } }));
      for (const { fn, config } of steps)
        expect([fn, config.preview_urls, config.workers_dev]).toEqual([
          fn,
          false,
          fn === 'content' || (fn === 'gateway' && host === undefined),
        ]);
    }
    // Those of the real map, for whoever deploys one by hand.
    const { rawConfig } = experimental_readRawConfig({ config: CONFIG_PATH });
    expect(rawConfig).toMatchObject({ workers_dev: false, preview_urls: false });
    for (const { fn, workersDev } of readDeployment())
      expect([fn, workersDev]).toEqual([fn, ['content', 'gateway'].includes(fn)]);
  });

  test('gives the content service its own host, or its own address without one', () => {
    const onHost = step({ content: { host: 'docs.acme.test', url: undefined } }, 'content');
    expect(onHost?.config).toMatchObject({ routes: ['docs.acme.test/*'], workers_dev: false });
    expect(onHost?.config.vars).toEqual({ CONTENT_URL: 'https://docs.acme.test' });
    expect(onHost?.secrets).toEqual(['CURSOR_KEY']);
    const withoutHost = step({}, 'content');
    expect(withoutHost?.config).toMatchObject({ workers_dev: true });
    expect(withoutHost?.config).not.toHaveProperty('routes');
    expect(withoutHost?.config.vars).toEqual({ CONTENT_URL: 'https://c.test' });
    expect(() => planDeployment(input({ content: { host: undefined, url: undefined } }))).toThrow(
      'Set CONTENT_HOST',
    );
  });

  test('names the folder of static assets by its absolute path, wherever the configuration lies', () => {
    const [track = makeFunction('track'), ...others] = input().functions;
    const functions = [{ ...track, assets: '/repo/functions/script/assets' }, ...others];
    const env = { track: { assets: { directory: 'functions/script/assets', html_handling: 'none' } } };
    expect(step({ functions, config: { env } }, 'track')?.config).toMatchObject({
      assets: { directory: '/repo/functions/script/assets', html_handling: 'none' },
    });
    expect(step({}, 'sites')?.config).not.toHaveProperty('assets');
  });

  test('hands wrangler one flat configuration with an absolute entry', () => {
    expect(step({}, 'sites')?.config).toMatchObject({
      name: 'vendor-sites',
      main: '/repo/functions/sites/index.ts',
      compatibility_date: '2026-10-01',
    });
    expect(step({}, 'sites')?.config).not.toHaveProperty('env');
  });
});
