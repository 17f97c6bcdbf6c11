import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { Site } from '../../../lib/sites/schemas.ts';
import { Site as SiteSchema } from '../../../lib/sites/schemas.ts';
import { consented, pageview } from '../../lib/analytics/reports-world.ts';
import {
  addApiKey,
  addMember,
  createPerson,
  createProject,
  createTenant,
  type Person,
} from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors } from './doors.ts';

const stack = useStack();

describe.each<[string, Door]>(Object.entries(doors))('sites in %s', (_, door) => {
  async function call(person: Person, method: string, path: string, body?: object) {
    const response = await door(stack(), `/api/v1/sites${path}`, {
      method,
      headers: { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) };
  }
  const siteOf = (answer: { body: { data: unknown } }): Site =>
    v.parse(v.strictObject(SiteSchema.entries), answer.body.data);

  test('a site without a jurisdiction has no policy', async () => {
    const tenant = await createTenant(stack().sql);
    const answer = await call(tenant, 'POST', '', { domain: 'Bücher.Example', name: ' Books ' });
    expect(answer.status).toBe(201);
    const site = siteOf(answer);
    expect(site).toMatchObject({
      domain: 'xn--bcher-kva.example',
      name: 'Books',
      jurisdiction: null,
      privacy: null,
      timezone: 'UTC',
      projectId: tenant.projectId,
      snippet: `<script defer src="${stack().baseUrl}/tracker.js" data-site="${site.id}"></script>`,
    });
    expect(site.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await call(tenant, 'GET', `/${site.id}`)).body).toEqual(answer.body);
  });

  test('a site with a jurisdiction starts with consent required, counts before it, and 25 months', async () => {
    const tenant = await createTenant(stack().sql);
    const input = {
      domain: 'example.pt',
      name: 'Six Strings',
      jurisdiction: 'PT',
      timezone: 'Europe/Lisbon',
    };
    expect(siteOf(await call(tenant, 'POST', '', input))).toMatchObject({
      ...input,
      privacy: { jurisdiction: 'PT', consentMode: 'required', preConsentTier: 'counts', retentionMonths: 25 },
    });
  });

  test('its time zone can be changed, and the answer says how far its days are summed again', async () => {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const { siteId } = tenant;
    const change = (timezone: string, by: Person = tenant) => call(by, 'PATCH', `/${siteId}`, { timezone });
    expect(siteOf(await change('Asia/Kolkata'))).toMatchObject({ timezone: 'Asia/Kolkata' });
    const at = Date.now() - 3 * 86_400_000;
    await foldBatch(
      sql,
      [{ ...consented('ada', [pageview(new Date(at).toISOString(), '/')]), siteId }],
      Date.now(),
    );
    const changed = siteOf(await change('America/New_York'));
    expect(changed).toMatchObject({ timezone: 'America/New_York', resumming: { done: 0, of: 1 } });
    expect(changed.resumming?.timezone).toBe('America/New_York');
    expect(siteOf(await call(tenant, 'GET', `/${siteId}`)).resumming).toEqual(changed.resumming);
    await stack().scheduled('ingest', '*/15 * * * *');
    expect(siteOf(await call(tenant, 'GET', `/${siteId}`)).resumming).toBeUndefined();

    // A day that has just ended can't be sealed yet, and isn't waited for.
    const seen = '2026-03-01T23:30:00Z';
    await sql`
      update site_freshness set first_event_at = ${seen}, last_event_at = ${seen}
      where site_key = (select key from sites where id = ${siteId})`;
    await sql`update site_seals set sealed_to = null where site_key = (select key from sites where id = ${siteId})`;
    const changedAt = async (instant: string) => {
      await sql`update sites set timezone = 'UTC', zone_changed_at = ${instant} where id = ${siteId}`;
      return siteOf(await call(tenant, 'GET', `/${siteId}`)).resumming;
    };
    expect(await changedAt('2026-03-02T00:35:00Z')).toBeUndefined();
    expect(await changedAt('2026-03-02T00:45:00Z')).toMatchObject({ done: 0, of: 1 });
    await sql`update sites set timezone = 'America/New_York' where id = ${siteId}`;

    // A large site's is changed by the cron: `timezone` is that of reports until then.
    await sql`update rollup_hours set visits = visits + 1000000 where site_key = (select key from sites where id = ${siteId})`;
    expect(siteOf(await change('UTC'))).toMatchObject({
      ...{ timezone: 'America/New_York', resumming: { timezone: 'UTC', done: 0 } },
    });
    expect(siteOf(await change('America/New_York')).resumming).toBeUndefined();
    await change('UTC');
    await stack().scheduled('ingest', '*/15 * * * *');
    expect(siteOf(await call(tenant, 'GET', `/${siteId}`))).toMatchObject({ timezone: 'UTC' });

    const viewer = await addMember(sql, tenant.projectId, 'viewer');
    expect((await change('UTC', viewer)).status).toBe(403);
    expect((await change('UTC', await createPerson(sql))).status).toBe(404);
    for (const zone of ['Mars/Olympus', '+01:00', '', 'UTC; drop'])
      expect((await change(zone)).body).toMatchObject({
        ...{ error: 'VALIDATION_ERROR', details: [{ path: 'timezone' }] },
      });
  });

  test('a list with a period has the summary of each site, also of those without visits', async () => {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const silent = siteOf(await call(tenant, 'POST', '', { domain: 'example.pt', name: 'Silent' }));
    const at = new Date().toISOString();
    const { siteId } = tenant;
    await foldBatch(
      sql,
      [{ ...consented('bob', [pageview(at, '/a'), pageview(at, '/b')]), siteId }],
      Date.now(),
    );
    const { body } = await call(tenant, 'GET', '?period=7d');
    expect(v.parse(v.array(v.strictObject(SiteSchema.entries)), body.data)).toEqual(body.data);
    const none = { visitors: 0, visits: 0, pageviews: 0, visitorsChange: null, live: 0 };
    const [first, second] = body.data as Site[];
    expect([first?.id, second?.id]).toEqual([siteId, silent.id]);
    expect(first?.summary).toMatchObject({
      visitors: 1,
      visits: 1,
      pageviews: 2,
      visitorsChange: null,
      changesUnknown: 'comparedNotObserved',
      live: 1,
    });
    expect(first?.summary?.spark).toHaveLength(7);
    expect(second?.summary).toEqual({
      ...none,
      changesUnknown: 'notObserved',
      spark: Array(7).fill(0),
    });
    expect((await call(tenant, 'GET', '?period=24h')).body.data[0].summary.spark).toHaveLength(24);
    const narrow = await addApiKey(sql, tenant, { siteIds: [silent.id] });
    expect((await call({ ...tenant, token: narrow }, 'GET', '?period=7d')).body.data).toEqual([second]);
    for (const site of (await call(tenant, 'GET', '')).body.data) expect(site).not.toHaveProperty('summary');
    for (const query of ['?period=1h', '?period=', '?from=2026-01-01&to=2026-01-02'])
      expect((await call(tenant, 'GET', query)).status).toBe(400);
  });

  test('beyond the first 200 sites there are no summaries', async () => {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    await sql`
      insert into sites (project_id, domain, name)
      select ${tenant.projectId}, 'example.com', n::text from generate_series(1, 201) n`;
    const listed = (await call(tenant, 'GET', '?period=24h')).body.data as Site[];
    expect(listed).toHaveLength(202);
    expect(listed.slice(0, 200).every(({ summary }) => summary?.spark.length === 24)).toBe(true);
    expect(listed.slice(200).map(({ summary }) => summary)).toEqual([null, null]);
  });

  test('a site goes to the named project, or to the oldest that its maker owns', async () => {
    const { sql } = stack();
    const person = await createPerson(sql);
    const input = { domain: 'example.com', name: 'Example' };
    await createProject(sql, person, 'viewer');
    const administrated = await createProject(sql, person, 'admin');
    expect((await call(person, 'POST', '', input)).body).toMatchObject({ error: 'FORBIDDEN' });
    const oldest = await createProject(sql, person, 'owner');
    const newest = await createProject(sql, person, 'owner');
    expect(siteOf(await call(person, 'POST', '', input)).projectId).toBe(oldest);
    for (const projectId of [newest, administrated]) {
      expect(siteOf(await call(person, 'POST', '', { ...input, projectId })).projectId).toBe(projectId);
    }
  });

  test('nobody makes sites in a project of others, and viewers in none', async () => {
    const { sql } = stack();
    const [tenant, stranger] = await Promise.all([createTenant(sql), createTenant(sql)]);
    const viewer = await addMember(sql, tenant.projectId, 'viewer');
    const input = { domain: 'example.com', name: 'Example', projectId: tenant.projectId };
    expect((await call(stranger, 'POST', '', input)).status).toBe(404);
    expect((await call(stranger, 'POST', '', { ...input, projectId: crypto.randomUUID() })).status).toBe(404);
    expect((await call(viewer, 'POST', '', input)).status).toBe(403);
    expect((await call(tenant, 'GET', '')).body.data).toHaveLength(1);
  });

  test('the list has the sites of all projects that the caller is a member of, oldest first', async () => {
    const { sql } = stack();
    const [tenant, other] = await Promise.all([createTenant(sql), createTenant(sql)]);
    await sql`insert into project_members (project_id, user_id, role) values (${other.projectId}, ${tenant.userId}, 'viewer')`;
    const later = siteOf(await call(tenant, 'POST', '', { domain: 'later.example', name: 'Later' }));
    const ids = (await call(tenant, 'GET', '')).body.data.map(({ id }: Site) => id);
    expect(new Set(ids)).toEqual(new Set([tenant.siteId, other.siteId, later.id]));
    expect(ids.at(-1)).toBe(later.id);
    expect((await call(await createPerson(sql), 'GET', '')).body).toEqual({ data: [] });
  });

  test('only the name is changed by PATCH, and updatedAt goes on', async () => {
    const tenant = await createTenant(stack().sql);
    const before = siteOf(await call(tenant, 'GET', `/${tenant.siteId}`));
    const after = siteOf(
      await call(tenant, 'PATCH', `/${tenant.siteId}`, { name: "Robert'); drop table sites; --" }),
    );
    expect(after).toEqual({ ...before, name: "Robert'); drop table sites; --", updatedAt: after.updatedAt });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(siteOf(await call(tenant, 'GET', `/${tenant.siteId}`))).toEqual(after);
  });

  test('domains are changed by PATCH, each alone; what isn’t given stays', async () => {
    const tenant = await createTenant(stack().sql);
    const path = `/${tenant.siteId}`;
    const change = async (body: object) => {
      const site = siteOf(await call(tenant, 'PATCH', path, body));
      expect(siteOf(await call(tenant, 'GET', path))).toEqual(site);
      return { name: site.name, domain: site.domain, domains: site.domains };
    };
    const name = 'Example';
    const domains = ['xn--bcher-kva.example', 'shop.example'];
    expect(
      await change({ domains: ['Bücher.example', 'SHOP.example', 'shop.example.', 'example.com'] }),
    ).toEqual({
      ...{ name, domain: 'example.com', domains },
    });
    expect(await change({ domain: 'shop.example' })).toEqual({
      ...{ name, domain: 'shop.example', domains: ['xn--bcher-kva.example'] },
    });
    expect(await change({ name: 'Books' })).toEqual({
      ...{ name: 'Books', domain: 'shop.example', domains: ['xn--bcher-kva.example'] },
    });
    expect(await change({ domains: [] })).toEqual({ name: 'Books', domain: 'shop.example', domains: [] });
    const viewer = await addMember(stack().sql, tenant.projectId, 'viewer');
    const stranger = await createTenant(stack().sql);
    expect((await call(viewer, 'PATCH', path, { domain: 'example.com' })).status).toBe(403);
    expect((await call(stranger, 'PATCH', path, { domains: ['example.com'] })).status).toBe(404);
    for (const body of [
      {},
      { domain: null },
      { domains: 'example.com' },
      { domains: ['a b'] },
      { timezone: null },
    ])
      expect((await call(tenant, 'PATCH', path, body)).body).toMatchObject({ error: 'VALIDATION_ERROR' });
    expect(siteOf(await call(tenant, 'GET', path))).toMatchObject({ domain: 'shop.example', domains: [] });
  });

  test('a site is made with several domains', async () => {
    const tenant = await createTenant(stack().sql);
    const input = { domain: 'example.pt', domains: ['shop.example', 'EXAMPLE.pt'], name: 'Two' };
    expect(siteOf(await call(tenant, 'POST', '', input))).toMatchObject({
      ...{ domain: 'example.pt', domains: ['shop.example'] },
    });
  });

  test('the policy is replaced whole', async () => {
    const tenant = await createTenant(stack().sql);
    const policies = [
      { jurisdiction: 'PT', consentMode: 'required', preConsentTier: 'off', retentionMonths: 1 },
      { jurisdiction: 'US', consentMode: 'regional', preConsentTier: 'sessions', retentionMonths: 25 },
    ];
    for (const privacy of policies) {
      const site = siteOf(await call(tenant, 'PUT', `/${tenant.siteId}/privacy`, privacy));
      expect(site).toMatchObject({ jurisdiction: privacy.jurisdiction, privacy });
      expect(siteOf(await call(tenant, 'GET', `/${tenant.siteId}`))).toEqual(site);
    }
  });

  const territories =
    'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO GP MQ GF RE YT MF AX GB GI JE GG IM CH SJ';
  test('owners in the territories may not choose regional', async () => {
    for (const chunk of [territories.split(' ').slice(0, 40), territories.split(' ').slice(40)]) {
      const tenant = await createTenant(stack().sql);
      for (const jurisdiction of chunk) {
        const policy = {
          jurisdiction,
          consentMode: 'regional',
          preConsentTier: 'counts',
          retentionMonths: 12,
        };
        const answer = await call(tenant, 'PUT', `/${tenant.siteId}/privacy`, policy);
        expect([jurisdiction, answer.status, answer.body.error]).toEqual([
          jurisdiction,
          400,
          'REGIONAL_NOT_ALLOWED',
        ]);
      }
      expect(siteOf(await call(tenant, 'GET', `/${tenant.siteId}`)).privacy).toBeNull();
    }
  });

  test.each('US BR JP PM BL WF PF NC TF FO GL AW CW SX BQ SM VA MC AD BM KY VG'.split(' '))(
    'owners in %s may',
    async (jurisdiction) => {
      const tenant = await createTenant(stack().sql);
      const policy = { jurisdiction, consentMode: 'regional', preConsentTier: 'counts', retentionMonths: 12 };
      expect((await call(tenant, 'PUT', `/${tenant.siteId}/privacy`, policy)).status).toBe(200);
    },
  );
});
