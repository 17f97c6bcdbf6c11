import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { CreatedShare, SHARED_REPORTS, Share } from '../../../lib/shares/schemas.ts';
import { addMember, createTenant, type Person, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors } from './doors.ts';

const stack = useStack();

describe.each<[string, Door]>(Object.entries(doors))('shares in %s', (_, door) => {
  async function call(
    { siteId, token }: Person & { siteId: string },
    method: string,
    path = '',
    body?: object,
  ) {
    const response = await door(stack(), `/api/v1/sites/${siteId}/shares${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  async function create(tenant: Tenant, body: object): Promise<CreatedShare> {
    const made = await call(tenant, 'POST', '', body);
    expect(made.status).toBe(201);
    return v.parse(v.strictObject(CreatedShare.entries), made.body.data);
  }

  test('a new share has a link, of which only a hash is stored; owners and admins see it again', async () => {
    const { sql, baseUrl } = stack();
    const tenant = await createTenant(sql);
    const share = await create(tenant, { name: ' Open numbers ' });
    const { url, pageUrl } = share;
    expect(share).toMatchObject({
      name: 'Open numbers',
      reports: [...SHARED_REPORTS],
      hasPassword: false,
      embedOrigins: [],
      expiresAt: null,
    });
    const secret = url.slice(url.lastIndexOf('/') + 1);
    expect(url).toBe(`${baseUrl}/api/v1/shares/${secret}`);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const [row] = await sql`
      select site_shares::text as stored, hash = sha256(${secret}::bytea) as hashed from site_shares where id = ${share.id}`;
    expect(row?.hashed).toBe(true);
    expect(row?.stored).not.toContain(secret);
    expect(await call(tenant, 'GET')).toEqual({ status: 200, body: { data: [v.parse(Share, share)] } });
    const viewer = { ...(await addMember(sql, tenant.projectId, 'viewer')), siteId: tenant.siteId };
    expect((await call(viewer, 'GET')).body).toMatchObject({
      data: [{ id: share.id, url: null, pageUrl: null }],
    });
    const other = { ...(await addMember(sql, tenant.projectId, 'admin')), siteId: tenant.siteId };
    expect((await call(other, 'GET')).body).toMatchObject({ data: [{ url, pageUrl }] });
    // As one of an earlier version, or of an earlier key.
    await sql`update site_shares set hash = sha256('earlier'::bytea) where id = ${share.id}`;
    expect((await call(other, 'GET')).body).toMatchObject({ data: [{ url: null, pageUrl: null }] });
    await sql`update site_shares set hash = sha256(${secret}::bytea) where id = ${share.id}`;

    const read = await stack().fetch(new URL(url).pathname);
    expect(await read.json()).toMatchObject({ data: { name: 'Open numbers' } });
    expect(pageUrl).toBe(`${baseUrl}/share/${secret}`);
    const page = await stack().fetch(new URL(pageUrl).pathname);
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
  });

  const NO_ORIGIN =
    'must be an origin as https://intranet.example, or of http://localhost, or just * for every page';
  test.each([
    ['no origin', ['intranet.example'], 0, NO_ORIGIN],
    ['a path', ['https://intranet.example/a'], 0, NO_ORIGIN],
    ['a sign of the header', ['https://intranet.example;script-src'], 0, NO_ORIGIN],
    ['another sign', ["https://'self'"], 0, NO_ORIGIN],
    ['a wildcard for a part', ['https://*.example'], 0, NO_ORIGIN],
    ['a wildcard for a part, after others', ['https://intranet.example', '*', '*.example'], 2, NO_ORIGIN],
    ['without TLS', ['http://intranet.example'], 0, NO_ORIGIN],
    ['no text', ['*', 5], 1, 'must be a string'],
    ['a second time', ['*', 'https://intranet.example', '*'], 2, 'must not be in the list twice'],
  ])('pages that may embed it have an origin: %s', async (_, embedOrigins, index, message) => {
    const tenant = await createTenant(stack().sql);
    const { status, body } = await call(tenant, 'POST', '', { name: 'Board', embedOrigins });
    expect(status).toBe(400);
    expect(body).toMatchObject({ details: [{ path: `embedOrigins.${index}`, message }] });
  });

  test('it may have a password, an end and a choice of reports', async () => {
    const tenant = await createTenant(stack().sql);
    const asked = { name: 'Board', reports: ['pages', 'overview'], expiresAt: '2098-12-31T23:00:00.000Z' };
    const share = await create(tenant, { ...asked, password: 'pão de lô, às 5' });
    expect(share).toMatchObject({ ...asked, hasPassword: true });
    expect(JSON.stringify(share)).not.toContain('pbkdf2');
    const { pathname } = new URL(share.url);
    expect((await stack().fetch(pathname)).status).toBe(401);
    // The same password from a keyboard that encodes accents in another Unicode form.
    const unlocked = await stack().fetch(`${pathname}/unlock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ password: 'pão de lô, às 5'.normalize('NFD') }),
    });
    expect(unlocked.status).toBe(200);
    const { data } = (await unlocked.json()) as { data: { token: string } };
    const read = await stack().fetch(pathname, { headers: { Authorization: `Bearer ${data.token}` } });
    expect(await read.json()).toMatchObject({ data: { reports: ['pages', 'overview'] } });
  });

  test('a revoked one is gone, and another site’s can’t be revoked', async () => {
    const { sql } = stack();
    const [tenant, other] = await Promise.all([createTenant(sql), createTenant(sql)]);
    const { id, url } = await create(tenant, { name: 'Open numbers' });
    const report = `${new URL(url).pathname}/analytics/overview`;
    expect((await stack().fetch(report)).status).toBe(200);
    expect((await call(other, 'DELETE', `/${id}`)).status).toBe(404);
    const viewer = await addMember(sql, tenant.projectId, 'viewer');
    expect((await call({ ...viewer, siteId: tenant.siteId }, 'DELETE', `/${id}`)).status).toBe(403);
    expect((await stack().fetch(report)).status).toBe(200);
    expect(await call(tenant, 'DELETE', `/${id}`)).toEqual({ status: 204, body: undefined });
    expect((await stack().fetch(report)).status).toBe(404);
    expect((await call(tenant, 'DELETE', `/${id}`)).status).toBe(404);
    expect((await call(tenant, 'GET')).body).toEqual({ data: [] });
  });

  test.each<[object, string]>([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'x', password: 'short' }, 'password'],
    [{ name: 'x', password: 'x'.repeat(129) }, 'password'],
    [{ name: 'x', reports: [] }, 'reports'],
    [{ name: 'x', reports: ['traces'] }, 'reports.0'],
    [{ name: 'x', reports: ['pages', 'pages'] }, 'reports'],
    [{ name: 'x', expiresAt: '2026-01-01T00:00:00.000Z' }, 'expiresAt'],
    [{ name: 'x', expiresAt: '2098-02-30T00:00:00.000Z' }, 'expiresAt'],
    [{ name: 'x', expiresAt: '2098-01-01' }, 'expiresAt'],
    [{ name: 'x', expiresAt: '2098-01-01T00:00:00+01:00' }, 'expiresAt'],
    [{ name: 'x', url: 'https://example.com' }, 'url'],
  ])('%j is refused, and %s named', async (body, path) => {
    const tenant = await createTenant(stack().sql);
    expect(await call(tenant, 'POST', '', body)).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [{ path }] },
    });
  });

  test('a site has at most 100', async () => {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    await sql`
      insert into site_shares (site_id, name, hash, reports)
      select ${tenant.siteId}, n::text, uuid_send(gen_random_uuid()), '{}' from generate_series(1, 99) as n`;
    await create(tenant, { name: 'The last' });
    expect(await call(tenant, 'POST', '', { name: 'One more' })).toMatchObject({ status: 409 });
  });
});
