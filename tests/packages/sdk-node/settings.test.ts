/** What options and variables mean, without a process of their own. */
import { describe, expect, test, vi } from 'vitest';
import { makeResource } from '../../../packages/sdk-node/src/resource.ts';
import { makeSampler } from '../../../packages/sdk-node/src/sampler.ts';
import { readSettings, type Settings } from '../../../packages/sdk-node/src/settings.ts';

const GIVEN = {
  VENDOR_ENDPOINT: 'https://vendor.example',
  VENDOR_API_KEY: 'ving_test',
  VENDOR_SERVICE_NAME: 'shop',
};
const settings = readSettings({}, GIVEN) as Settings;

describe('settings', () => {
  test('by default everything that says who asks is left out', () => {
    expect(settings).toEqual({
      endpoint: 'https://vendor.example',
      apiKey: 'ving_test',
      serviceName: 'shop',
      reveal: { queryStrings: false, clientAddresses: false, userAgents: false, errorMessages: false },
      shutdownMs: 2000,
      pageOrigins: new Set(),
    });
  });

  test('origins of pages: a list, or a text with commas', () => {
    const env = { ...GIVEN, VENDOR_PAGE_ORIGINS: 'https://Shop.example/, ,http://localhost:3000' };
    expect(readSettings({}, env)).toMatchObject({
      pageOrigins: new Set(['https://shop.example', 'http://localhost:3000']),
    });
    expect(readSettings({ pageOrigins: ['https://own.example:443'] }, env)).toMatchObject({
      pageOrigins: new Set(['https://own.example']),
    });
  });

  test('options come before VENDOR_…, and those before OTEL_…', () => {
    const env = { ...GIVEN, VENDOR_SERVICE_NAME: undefined, OTEL_SERVICE_NAME: 'otel' };
    expect(readSettings({}, env)).toMatchObject({ serviceName: 'otel' });
    expect(readSettings({ serviceName: 'own', endpoint: 'http://[::1]:8787/base/' }, env)).toMatchObject({
      serviceName: 'own',
      endpoint: 'http://[::1]:8787/base',
    });
  });

  test.each<[given: unknown, ms: number]>([
    [500, 500],
    [0, 2000],
    [-1, 2000],
    [Number.NaN, 2000],
    ['500', 2000],
    [Number.POSITIVE_INFINITY, 60_000],
  ])('shutdownMs %s is %s', (shutdownMs, ms) => {
    expect(readSettings({ shutdownMs } as never, GIVEN)).toMatchObject({ shutdownMs: ms });
  });

  test('no value is taken for true that is not true', () => {
    const reveal = { queryStrings: 'yes', clientAddresses: 1, userAgents: true };
    expect(readSettings({ reveal } as never, GIVEN)).toMatchObject({
      reveal: { queryStrings: false, clientAddresses: false, userAgents: true },
    });
  });

  test('VENDOR_REVEAL has names; the option comes before it, and what is unknown is said', () => {
    const env = { ...GIVEN, VENDOR_REVEAL: 'errorMessages, userAgents,passwords' };
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      expect(readSettings({}, env)).toMatchObject({
        reveal: { queryStrings: false, clientAddresses: false, userAgents: true, errorMessages: true },
      });
      expect(write).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/VENDOR_REVEAL has "passwords"/));
      expect(readSettings({ reveal: { queryStrings: true } }, env)).toMatchObject({
        reveal: { queryStrings: true, clientAddresses: false, userAgents: false, errorMessages: false },
      });
    } finally {
      write.mockRestore();
    }
  });

  test.each(['true', 'TRUE', ' True '])('OTEL_SDK_DISABLED=%s', (value) => {
    expect(readSettings({}, { ...GIVEN, OTEL_SDK_DISABLED: value })).toEqual({ reason: undefined });
  });

  test.each([
    'vendor.example',
    'ftp://vendor.example',
    'https://a:b@vendor.example',
    'https://vendor.example/?a',
    'https://vendor.example/#a',
  ])('no endpoint: %s', (endpoint) => {
    expect(readSettings({ endpoint }, GIVEN)).toMatchObject({
      reason: expect.stringContaining('VENDOR_ENDPOINT'),
    });
  });
});

describe('the resource', () => {
  const attributesOf = (env: NodeJS.ProcessEnv) => makeResource(settings, env).attributes;

  test('service, version of the package, runtime and SDK, and nothing of the host', () => {
    expect(attributesOf({ npm_package_version: '1.2.3' })).toEqual({
      'service.name': 'shop',
      'service.version': '1.2.3',
      'process.runtime.name': 'nodejs',
      'process.runtime.version': process.versions.node,
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.version': expect.any(String),
    });
  });

  test.each<[text: string, attributes: Record<string, string>]>([
    ['deployment.environment.name=production', { 'deployment.environment.name': 'production' }],
    [' team = shop , service.version=2.0 ,', { team: 'shop', 'service.version': '2.0' }],
    ['list=a%2Cb%3Dc,%C3%A9=%C3%A9', { list: 'a,b=c', é: 'é' }],
    ['empty=', { empty: '' }],
    ['service.name=other', { 'service.name': 'shop' }],
  ])('OTEL_RESOURCE_ATTRIBUTES=%s', (text, attributes) => {
    expect(attributesOf({ npm_package_version: '1.2.3', OTEL_RESOURCE_ATTRIBUTES: text })).toMatchObject(
      attributes,
    );
  });

  test.each(['team=shop,nonsense', '=value', 'a=b=c', 'a=%zz'])(
    'a wrong one is ignored whole, and said: %s',
    (text) => {
      const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      try {
        const attributes = attributesOf({ OTEL_RESOURCE_ATTRIBUTES: `kept=no,${text}` });
        expect(Object.keys(attributes)).not.toEqual(expect.arrayContaining(['kept']));
        expect(attributes['service.name']).toBe('shop');
      } finally {
        write.mockRestore();
      }
    },
  );
});

test.each<[env: NodeJS.ProcessEnv, sampler: string]>([
  [{}, 'ParentBased{root=AlwaysOnSampler'],
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, 'AlwaysOffSampler'],
  [{ OTEL_TRACES_SAMPLER: ' always_on ' }, 'AlwaysOnSampler'],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }, 'TraceIdRatioBased{0.25}'],
  [
    { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' },
    'ParentBased{root=TraceIdRatioBased{0.5}',
  ],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, 'ParentBased{root=AlwaysOffSampler'],
])('the sampler of %o is %s', (env, sampler) => {
  expect(makeSampler(env).toString()).toMatch(sampler);
});
