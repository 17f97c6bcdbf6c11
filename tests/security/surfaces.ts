/** The credentials that each surface accepts, and those that it must refuse: broken ones, and valid ones of other surfaces. */
import type { Sql } from '../../lib/db.ts';
import { createToken } from '../../lib/tokens.ts';
import { addIngestKey, addQueryToken, createCookie } from './session.ts';
import { newToken, type Person, revoke, type Tenant } from './tenant.ts';

/** Headers with a credential. */
export type Credential = Record<string, string>;

export type Surface = 'member' | 'session' | 'ingestKey' | 'queryToken' | 'public';

/** A tenant with the credentials of other surfaces. */
export type Caller = Person & { ingestKey?: string; queryToken?: string };

type Refused = [what: string, credential: (sql: Sql, tenant: Tenant) => Promise<Credential>];

const bearer = (token: string): Credential => ({ Authorization: `Bearer ${token}` });

const otherKeys: Refused[] = [
  [
    'an ingest key of the project',
    async (sql, { projectId }) => bearer((await addIngestKey(sql, projectId)).key),
  ],
  [
    'a query token of the person',
    async (sql, { userId }) => bearer((await addQueryToken(sql, userId)).token),
  ],
];

const broken = (
  say: [what: string, credential: (tenant: Tenant) => Credential | Promise<Credential>][],
): Refused[] => say.map(([what, credential]) => [what, async (_, tenant) => credential(tenant)]);

/** The cookie with a changed value. */
const changed = (cookie: string, change: (value: string) => string): Credential => {
  const [name = '', value = ''] = cookie.split('=');
  return { Cookie: `${name}=${change(value)}` };
};

interface SurfaceRules {
  own: (caller: Caller) => Credential;
  /** Gives a tenant a credential of the surface, if it has none. */
  equip?: (sql: Sql, tenant: Tenant) => Promise<Tenant & Caller>;
  /** Revokes the credential, if that is possible. */
  revoke?: (sql: Sql, tenant: Tenant) => Promise<void>;
  refused: Refused[];
  /** Headers that browsers send from pages of other sites, which are refused also with a session. */
  foreign?: [what: string, headers: Record<string, string>][];
  /** Headers that browsers send from the service's own pages and for typed addresses. */
  ownPages?: [what: string, headers: Record<string, string>][];
}

export const surfaces: Record<Surface, SurfaceRules> = {
  // Only the address identifies the caller.
  public: {
    own: ({ userId }) => ({ 'X-Forwarded-For': `2001:db8:${userId.slice(0, 4)}:${userId.slice(4, 8)}::1` }),
    refused: [],
  },
  member: {
    revoke,
    own: ({ token }) => bearer(token),
    refused: [
      ...broken([
        ['no token', () => ({})],
        ['an empty header', () => ({ Authorization: '' })],
        ['another scheme', ({ token }) => ({ Authorization: `Basic ${token}` })],
        ['a bare token', ({ token }) => ({ Authorization: token })],
        ['a malformed token', () => bearer('vapi_short')],
        ['SQL for a token', () => bearer("' or '1'='1")],
        ['a wrong checksum', ({ token }) => bearer(token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'))],
        ['a token that nobody has', () => bearer(newToken())],
      ]),
      ...otherKeys,
    ],
  },
  session: {
    revoke,
    foreign: [
      ['its request is cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
      ['its request is same-site', { 'Sec-Fetch-Site': 'same-site' }],
      ['its origin is another one', { Origin: 'https://evil.example' }],
      ['its origin is none', { Origin: 'null' }],
    ],
    ownPages: [
      ['a request of the service’s own page', { 'Sec-Fetch-Site': 'same-origin' }],
      ['a request of nobody’s page', { 'Sec-Fetch-Site': 'none' }],
    ],
    own: ({ cookie }) => ({ Cookie: cookie }),
    refused: [
      ...broken([
        ['no cookie', () => ({})],
        ['an empty cookie', ({ cookie }) => changed(cookie, () => '')],
        ['a cookie of another name', ({ cookie }) => ({ Cookie: cookie.replace('=', 's=') })],
        ['SQL for a cookie', ({ cookie }) => changed(cookie, () => encodeURIComponent("' or '1'='1"))],
        ['a cookie without a signature', ({ cookie }) => changed(cookie, (value) => value.slice(0, 32))],
        ['a session that nobody has', async () => ({ Cookie: (await createCookie()).cookie })],
        ['the cookie’s value as a token', ({ cookie }) => bearer(cookie.slice(cookie.indexOf('=') + 1))],
        ['the person’s API token', ({ token }) => bearer(token)],
      ]),
      ...otherKeys,
      [
        'a session that is over',
        async (sql, { userId, cookie }) => {
          await sql`update user_sessions set expires_at = now() - interval '1 second' where user_id = ${userId}`;
          return { Cookie: cookie };
        },
      ],
    ],
  },
  ingestKey: {
    equip: async (sql, tenant) => ({
      ...tenant,
      ingestKey: (await addIngestKey(sql, tenant.projectId)).key,
    }),
    own: ({ ingestKey = '' }) => bearer(ingestKey),
    revoke: async (sql, { projectId }) => {
      await sql`
        update ingest_keys set revoked_at = now() where environment_id in (select id from environments where project_id = ${projectId})`;
    },
    refused: [
      ...broken([
        ['no key', () => ({})],
        ['an empty header', () => ({ Authorization: '' })],
        ['a website’s id', ({ siteId }) => bearer(siteId)],
        ['a malformed key', () => bearer('ving_short')],
        ['SQL for a key', () => bearer("' or '1'='1")],
        [
          'a key that nobody has',
          () => bearer(createToken('ving', (bytes) => crypto.getRandomValues(bytes))),
        ],
        ['the person’s API token', ({ token }) => bearer(token)],
        ['the person’s session', ({ cookie }) => ({ Cookie: cookie })],
        ['the cookie’s value as a key', ({ cookie }) => bearer(cookie.slice(cookie.indexOf('=') + 1))],
      ]),
      [
        'a key of another scheme',
        async (sql, { projectId }) => ({
          Authorization: `Basic ${(await addIngestKey(sql, projectId)).key}`,
        }),
      ],
      [
        'a key in a cookie',
        async (sql, { projectId }) => ({ Cookie: `key=${(await addIngestKey(sql, projectId)).key}` }),
      ],
      [
        'a query token of the person',
        async (sql, { userId }) => bearer((await addQueryToken(sql, userId)).token),
      ],
      [
        'a key of an environment that was deleted',
        async (sql, { projectId }) => {
          const { key, environmentId } = await addIngestKey(sql, projectId);
          await sql`delete from environments where id = ${environmentId}`;
          return bearer(key);
        },
      ],
    ],
  },
  queryToken: {
    equip: async (sql, tenant) => ({
      ...tenant,
      queryToken: (await addQueryToken(sql, tenant.userId)).token,
    }),
    own: ({ queryToken = '' }) => bearer(queryToken),
    revoke: async (sql, { userId }) => {
      await sql`update query_tokens set revoked_at = now() where user_id = ${userId}`;
    },
    refused: [
      ...broken([
        ['no token', () => ({})],
        ['an empty header', () => ({ Authorization: '' })],
        ['a malformed token', () => bearer('vqry_short')],
        ['SQL for a token', () => bearer("' or '1'='1")],
        [
          'a token that nobody has',
          () => bearer(createToken('vqry', (bytes) => crypto.getRandomValues(bytes))),
        ],
        ['the person’s API token', ({ token }) => bearer(token)],
        ['the person’s session', ({ cookie }) => ({ Cookie: cookie })],
        ['the cookie’s value as a token', ({ cookie }) => bearer(cookie.slice(cookie.indexOf('=') + 1))],
      ]),
      [
        'a token of another scheme',
        async (sql, { userId }) => ({ Authorization: `Basic ${(await addQueryToken(sql, userId)).token}` }),
      ],
      [
        'a wrong checksum',
        async (sql, { userId }) => {
          const { token } = await addQueryToken(sql, userId);
          return bearer(token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'));
        },
      ],
      [
        'a token that has ended',
        async (sql, { userId }) =>
          bearer((await addQueryToken(sql, userId, { expiresAt: new Date(Date.now() - 1000) })).token),
      ],
      [
        'an ingest key of the project',
        async (sql, { projectId }) => bearer((await addIngestKey(sql, projectId)).key),
      ],
    ],
  },
};
