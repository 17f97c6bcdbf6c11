import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { bury } from '../../../lib/collection/bury.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { TrackMessage } from '../../../lib/collection/track-message.ts';
import { VisitorExport } from '../../../lib/visitor-data/schemas.ts';
import { addMember, createTenant, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors } from './doors.ts';

const stack = useStack();

const MINUTE_MS = 60_000;
const location = { hostname: 'shop.example.com', path: '/a' };

interface Came extends Tenant {
  visitorId: string;
  /** The time of the first page view, in epoch milliseconds. */
  at: number;
}

/** A site with a visitor who viewed three pages, read for a while and bought something, and with another visitor. */
async function createVisited(): Promise<Came> {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  const visitorId = crypto.randomUUID();
  const at = Date.now() - 60 * MINUTE_MS;
  const pageId = crypto.randomUUID();
  const next = (minutes: number) => ({ id: crypto.randomUUID(), at: at + minutes * MINUTE_MS });
  const message: TrackMessage = {
    version: 1,
    siteId: tenant.siteId,
    tier: 3,
    visitorId,
    continued: false,
    country: 'PT',
    city: 'Porto',
    device: 'mobile',
    os: 'Android',
    language: 'pt-PT',
    screen: '412x915',
    events: [
      { type: 'pageview', ...next(0), ...location, pageId, entry: true, source: 'Google', title: 'Shop' },
      { type: 'pageview', ...next(1), ...location, path: '/b', entry: false, props: { author: 'Ana' } },
      { type: 'event', ...next(2), ...location, name: 'seen' },
      {
        type: 'event',
        ...next(2),
        ...location,
        name: 'buy',
        props: { sku: 'S1' },
        revenue: { amount: '3', currency: 'EUR' },
      },
      { type: 'engagement', ...next(3), pageId, seconds: 2.5, scrollDepth: 40 },
      { type: 'pageview', ...next(50), ...location, path: '/c', entry: false },
    ],
  };
  const view = { type: 'pageview' as const, ...next(0), ...location, entry: true };
  const other = { ...message, visitorId: crypto.randomUUID(), events: [view] };
  await foldBatch(sql, [message, other], Date.now());
  const unstored = { ...message, tier: 9, events: [{ ...view, id: crypto.randomUUID() }] };
  await bury(sql, [{ body: unstored, reason: 'malformed: tier' }]);
  return { ...tenant, visitorId, at };
}

describe.each<[string, Door]>(Object.entries(doors))('visitors in %s', (_, door) => {
  const call = (who: Came, token: string, method: string, rest = '', requestId = 'r-1') =>
    door(stack(), `/api/v1/sites/${who.siteId}/visitors/${who.visitorId}${rest}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'X-Request-Id': requestId },
    });

  async function exported(who: Came) {
    const response = await call(who, who.token, 'GET', '/export', 'r-export');
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/json']);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const body = (await response.json()) as { data: v.InferOutput<typeof VisitorExport> };
    expect(v.parse(v.object({ data: VisitorExport }), body)).toEqual(body);
    return body.data;
  }

  const auditOf = ({ projectId }: Came) => stack().sql`
    select actor, action, site, encode(subject, 'hex') as subject, request_id, result from audit_log
    where project_id = ${projectId} order by at, action desc
  `;

  test('a visit of the site’s own host that came from nowhere says so', async () => {
    const tenant = await createTenant(stack().sql);
    const who = { ...tenant, visitorId: crypto.randomUUID(), at: Date.now() - 60 * MINUTE_MS };
    const view = {
      id: crypto.randomUUID(),
      at: who.at,
      type: 'pageview' as const,
      hostname: 'example.com',
      path: '/',
      entry: true,
    };
    const pageId = crypto.randomUUID();
    const read = {
      id: crypto.randomUUID(),
      at: who.at + 1,
      type: 'engagement' as const,
      pageId,
      seconds: 2,
      scrollDepth: 9,
    };
    const message: TrackMessage = {
      version: 1,
      siteId: tenant.siteId,
      tier: 3,
      visitorId: who.visitorId,
      continued: false,
      events: [{ ...view, pageId }, read],
    };
    await foldBatch(stack().sql, [message], Date.now());
    const { visits, events } = await exported(who);
    expect(visits).toMatchObject([{ origin: { hostname: 'example.com', source: 'Direct' } }]);
    expect(events.map(({ type, origin }) => [type, origin.hostname, origin.source]).sort()).toEqual([
      ['engagement', null, null],
      ['pageview', 'example.com', null],
    ]);
  });

  test('everything that is known is handed out', async () => {
    const who = await createVisited();
    const data = await exported(who);
    const timeOf = (minutes: number) => new Date(who.at + minutes * MINUTE_MS).toISOString();
    expect(data).toMatchObject({
      siteId: who.siteId,
      visitorId: who.visitorId,
      visits: [
        {
          startedAt: timeOf(0),
          duration: 180,
          engagement: 2.5,
          profile: { device: 'mobile', browser: null, os: 'Android', language: 'pt-PT' },
          place: { country: 'PT', region: null, city: 'Porto' },
          origin: { hostname: 'shop.example.com', source: 'Google' },
          pages: [
            { time: timeOf(0), path: '/a' },
            { time: timeOf(1), path: '/b' },
          ],
          pageProps: [{ time: timeOf(1), props: { author: 'Ana' } }],
        },
        {
          startedAt: timeOf(50),
          duration: 0,
          engagement: null,
          pages: [{ time: timeOf(50), path: '/c' }],
          pageProps: [],
          events: [],
        },
      ],
      unstored: [{ reason: 'malformed: tier', message: expect.stringContaining(who.visitorId) }],
    });
    const bought = { props: { sku: 'S1' }, revenue: { amount: '3', currency: 'EUR' } };
    expect(data.visits[0]?.events.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { time: timeOf(2), name: 'buy', data: bought },
      { time: timeOf(2), name: 'seen', data: null },
    ]);
    expect(data.events.map(({ type, path, name }) => [type, path, name]).sort()).toEqual([
      ['engagement', null, null],
      ['event', '/a', 'buy'],
      ['event', '/a', 'seen'],
      ['pageview', '/a', null],
      ['pageview', '/b', null],
      ['pageview', '/c', null],
    ]);
    expect(data.events[0]).toMatchObject({ time: timeOf(0), screen: '412x915', data: { title: 'Shop' } });
    expect(data.events.find(({ type }) => type === 'engagement')).toMatchObject({
      engagement: 2.5,
      scrollDepth: 40,
    });
  });

  test('deletion leaves nothing of the visitor, and both are audited without the id', async () => {
    const who = await createVisited();
    await exported(who);
    const deleted = await call(who, who.token, 'DELETE', '', 'r-delete');
    expect([deleted.status, await deleted.text()]).toEqual([204, '']);
    expect(await exported(who)).toMatchObject({ visits: [], events: [], unstored: [] });
    const [left] = await stack().sql`
      select count(*)::int as visits from visits join sites on sites.key = site_key where sites.id = ${who.siteId}`;
    expect(left?.visits).toBe(1);

    const line = {
      actor: { kind: 'apiToken', userId: who.userId, tokenId: expect.any(String) },
      site: who.siteId,
      result: 'done',
      subject: createHash('sha256').update(`${who.siteId} ${who.visitorId}`).digest('hex'),
    };
    const audit = await auditOf(who);
    expect(audit).toEqual([
      { ...line, action: 'visitor.export', request_id: 'r-export' },
      { ...line, action: 'visitor.delete', request_id: 'r-delete' },
      { ...line, action: 'visitor.export', request_id: 'r-export' },
    ]);
    expect(JSON.stringify(audit)).not.toContain(who.visitorId);
    const again = await call(who, who.token, 'DELETE');
    expect(again.status).toBe(204);
  });

  test('viewers do neither, admins both; members who are refused have a line', async () => {
    const who = await createVisited();
    const viewer = await addMember(stack().sql, who.projectId, 'viewer');
    const stranger = await createTenant(stack().sql);
    for (const [method, rest] of [['DELETE'], ['GET', '/export']] as const) {
      expect((await call(who, viewer.token, method, rest)).status).toBe(403);
      expect((await call(who, stranger.token, method, rest)).status).toBe(404);
    }
    // The stranger can't see the site, so its project gets no audit line.
    const refused = { site: who.siteId, subject: null, result: 'FORBIDDEN' };
    expect(await auditOf(who)).toMatchObject([
      { ...refused, action: 'visitor.delete' },
      { ...refused, action: 'visitor.export' },
    ]);
    expect((await exported(who)).visits).toHaveLength(2);
    const admin = await addMember(stack().sql, who.projectId, 'admin');
    expect((await call(who, admin.token, 'GET', '/export')).status).toBe(200);
    expect((await call(who, admin.token, 'DELETE')).status).toBe(204);
    expect((await exported(who)).visits).toEqual([]);
  });

  test('many visits and events come in pages', async () => {
    const who = await createVisited();
    const { sql } = stack();
    const at = Date.now();
    const messages = Array.from(
      { length: 45 },
      (_, n): TrackMessage => ({
        version: 1,
        siteId: who.siteId,
        tier: 3,
        visitorId: who.visitorId,
        continued: false,
        events: Array.from({ length: 12 }, (_, m) => ({
          type: 'pageview' as const,
          id: crypto.randomUUID(),
          at: at - (44 - n) * 40 * MINUTE_MS - 90 * MINUTE_MS,
          ...location,
          path: `/${n}/${m}`,
          entry: false,
        })),
      }),
    );
    await foldBatch(sql, messages, Date.now());
    const { visits, events } = await exported(who);
    expect(new Set(visits.map(({ startedAt }) => startedAt)).size).toBe(visits.length);
    expect(visits.map(({ startedAt }) => startedAt)).toEqual(visits.map(({ startedAt }) => startedAt).sort());
    expect(visits.flatMap(({ pages }) => pages)).toHaveLength(45 * 12 + 3);
    expect(new Set(events.map(({ id }) => id)).size).toBe(45 * 12 + 6);
    expect(events).toHaveLength(45 * 12 + 6);
  });
});
