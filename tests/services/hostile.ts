/** Hostile requests, each with its allowed statuses. */
import fc from 'fast-check';

export interface HostileRequest {
  path: string;
  init: RequestInit & { address?: string };
  /** The allowed statuses. */
  statuses: readonly number[];
}

export interface Targets {
  /** An existing site. */
  siteId: string;
  /** The API token of its owner. */
  token: string;
}

const SQL = fc.constantFrom(
  "' or '1'='1",
  "'; drop table events; --",
  '1; delete from sites',
  "\\'; select pg_sleep(10); --",
  '$$; drop schema public cascade; $$',
  '") union select hash from api_tokens --',
  '{{7*7}}',
  '%27%20or%201=1',
);
const uuid = fc.uuid();
const junk = fc.oneof(
  SQL,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
  fc.constant({ $ne: null }),
  fc.array(fc.integer(), { maxLength: 3 }),
);
const BROKEN_JSON = fc.constantFrom(
  '',
  '{',
  '{"site":',
  'null',
  '[]',
  '"text"',
  '1',
  '{}}',
  "{'site':1}",
  '\u0000',
  '[[[[',
);
const BROKEN_UTF8 = fc.constantFrom(
  [0xff],
  [0xc3, 0x28],
  [0x22, 0xed, 0xa0, 0x80, 0x22],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
);
const DEEP = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;

/** A body in which every field is valid. */
const goodTrack = (site: string, ids: string[]) => ({
  site,
  visitorId: ids[0],
  events: [
    {
      id: ids[1],
      type: 'pageview',
      pageId: ids[2],
      url: 'https://example.com/',
      referrer: 'https://www.google.com/',
      screen: '1x1',
    } as Record<string, unknown>,
  ],
});

/**
 * Bodies for `POST /api/v1/track` to an existing site. Each breaks a rule outside of its events: an event that breaks one is counted as
 * dropped (tests/functions/track/invalid-events.test.ts).
 */
function brokenTrackBody(site: string): fc.Arbitrary<BodyInit> {
  const good = fc.tuple(uuid, uuid, uuid).map((ids) => goodTrack(site, ids));
  // A number, a list or null is invalid in every field; a text might be valid.
  const wrong = fc.constantFrom<unknown>(1, -0.5, null, [], {}, true, ['x'], { length: 1 });
  const wrongTop = fc
    .tuple(good, fc.constantFrom('site', 'visitorId', 'events', 'consent', 'continued'), fc.oneof(wrong, SQL))
    .filter(([, field, value]) => !(field === 'continued' && value === true))
    .filter(([, field, value]) => !(field === 'events' && Array.isArray(value) && value.length > 0))
    .map(([body, field, value]) => ({ ...body, [field]: value }));
  const unknownField = fc
    .tuple(
      good,
      fc.constantFrom('ip', 'userAgent', 'timestamp', 'tier', '__proto__', 'constructor', 'toString'),
      junk,
    )
    .map(([body, field, value]) =>
      JSON.stringify(body).replace(/\}$/, `,${JSON.stringify(field)}:${JSON.stringify(value) ?? 'null'}}`),
    );
  const sqlEverywhere = SQL.map((text) => ({
    site: text,
    consent: text,
    visitorId: text,
    events: [
      {
        id: text,
        type: text,
        pageId: text,
        url: text,
        referrer: text,
        title: text,
        language: text,
        props: { [text]: text },
      },
    ],
  }));
  return fc.oneof(
    fc.oneof(wrongTop, sqlEverywhere).map((body) => JSON.stringify(body)),
    unknownField,
    BROKEN_JSON,
    fc.constant(DEEP),
    BROKEN_UTF8.map((bytes) => new Uint8Array(bytes)),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
}

const address = fc.nat(255).map((last) => `192.0.2.${last}`);
const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

const hostileTrack = ({ siteId }: Targets): fc.Arbitrary<HostileRequest> =>
  fc
    .tuple(
      brokenTrackBody(siteId),
      fc.constantFrom('application/json', 'text/plain', 'text/html', ''),
      address,
    )
    .map(([body, type, from]) => ({
      path: '/api/v1/track',
      init: { method: 'POST', body, address: from, headers: { 'Content-Type': type, 'User-Agent': AGENT } },
      statuses: [400, 404, 413, 415],
    }));

const hostilePolicy = ({ siteId }: Targets): fc.Arbitrary<HostileRequest> =>
  fc
    .tuple(
      fc.constantFrom('site', 'consent', 'unknown', '__proto__'),
      fc.oneof(SQL, fc.string({ unit: 'binary' })),
      address,
    )
    .map(([name, value, from]) => ({
      path: `/api/v1/policy?${new URLSearchParams([...(name === 'site' ? [] : [['site', siteId]]), [name, value]])}`,
      init: { address: from },
      statuses: [400],
    }));

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const jsonOf = (value: unknown): string => JSON.stringify(value) ?? 'null';

/** Routes of the owner, with invalid tokens. */
const hostileOwner = ({ siteId }: Targets): fc.Arbitrary<HostileRequest> => {
  const token = fc.oneof(
    SQL,
    fc.stringMatching(/^[A-Za-z0-9_-]{0,80}$/),
    fc.stringMatching(/^vapi_[A-Za-z0-9_-]{49}$/),
    fc.constantFrom('', 'null', 'undefined', `ving_${'a'.repeat(49)}`),
  );
  const path = fc.constantFrom(
    '/api/v1/sites',
    `/api/v1/sites/${siteId}`,
    `/api/v1/sites/${siteId}/privacy`,
    `/api/v1/sites/${siteId}/analytics/overview?period=7d`,
    `/api/v1/sites/${siteId}/analytics/pages?limit=1000`,
  );
  return fc.tuple(fc.constantFrom(...METHODS), path, token, junk).map(([method, to, secret, body]) => ({
    path: to,
    init: {
      method,
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      ...(method !== 'GET' && { body: jsonOf(body) }),
    },
    statuses: [400, 401, 404, 405],
  }));
};

/** Invalid bodies and parameters with the owner's own token. The routes are limited, so 429 is allowed too. */
const hostileBody = ({ siteId, token }: Targets): fc.Arbitrary<HostileRequest> => {
  const field = fc.constantFrom(
    'domain',
    'name',
    'jurisdiction',
    'consentMode',
    'retentionMonths',
    '__proto__',
    'id',
  );
  const body = fc.oneof(
    fc.dictionary(field, junk, { maxKeys: 4 }).map((fields) => jsonOf({ ...fields, surprise: 1 })),
    BROKEN_JSON,
    fc.constant(DEEP),
  );
  const target = fc.constantFrom<[string, string]>(
    ['POST', '/api/v1/sites'],
    ['PATCH', `/api/v1/sites/${siteId}`],
    ['PUT', `/api/v1/sites/${siteId}/privacy`],
  );
  const write = fc.tuple(target, body).map(([[method, path], text]) => ({ path, method, body: text }));
  const read = fc
    .tuple(
      fc.constantFrom('overview', 'timeseries', 'pages', 'sources', 'live'),
      fc.constantFrom('period', 'limit', 'filter_privacy_tier', 'sort', 'x'),
      SQL,
    )
    .map(([report, name, value]) => ({
      path: `/api/v1/sites/${siteId}/analytics/${report}?${new URLSearchParams([[name, value]])}`,
      method: 'GET',
      body: null,
    }));
  return fc.oneof(write, read).map(({ path, method, body: text }) => ({
    path,
    init: {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(text !== null && { body: text }),
    },
    statuses: [400, 429],
  }));
};

/** Paths that don't exist. */
const hostilePath = fc
  .tuple(
    fc.constantFrom(...METHODS),
    fc.array(fc.oneof(SQL, fc.constantFrom('..', '.', 'internal', 'api', '%2e%2e', '%00')), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([method, parts]) => ({
    path: `/nowhere/${parts.map((part) => (part.startsWith('%') ? part : encodeURIComponent(part))).join('/')}`,
    init: { method },
    statuses: [404, 405],
  }))
  // The front page is at `/`.
  .filter(({ path }) => new URL(path, 'http://service.test').pathname !== '/');

/** `count` hostile requests of all kinds, the same for the same seed. */
export function hostileRequests(targets: Targets, count: number, seed: number): HostileRequest[] {
  const kinds = fc.oneof(
    { weight: 5, arbitrary: hostileTrack(targets) },
    { weight: 2, arbitrary: hostilePolicy(targets) },
    { weight: 3, arbitrary: hostileOwner(targets) },
    { weight: 2, arbitrary: hostileBody(targets) },
    { weight: 1, arbitrary: hostilePath },
  );
  return fc.sample(kinds, { numRuns: count, seed });
}
