/** Associations, spans, page views and outcomes in any order, twice, of others, untied and too far apart: what is linked is what a simple model links. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportAssociations } from '../../../lib/analytics/lists/associations.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { TrackMessage } from '../../../lib/collection/track-message.ts';
import type { Sql } from '../../../lib/db.ts';
import { recordOutcomes } from '../../../lib/outcomes/record-outcomes.ts';
import { getJourney } from '../../../lib/telemetry/get-journey.ts';
import { storeTraces } from '../../../lib/telemetry/store-traces.ts';
import { linkOf, type OracleAssociation, type OracleSpan, type Tie } from '../../oracle/associations.ts';
import { distinctEvents, visitsOf } from '../../oracle/visits.ts';
import { ORACLE_RUNS } from '../../oracle-runs.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';
import { spanAt, traces } from '../telemetry/ingest-sender.ts';

const database = useDatabase();

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
/** A stream goes over the end of a UTC day. */
const START = Date.parse('2026-11-20T23:10:00.000Z');
const MINUTE_MS = 60_000;
const NEAR_MS = 10 * MINUTE_MS;
const ORIGINS = ['https://api.example.com', 'https://pay.example.com', 'https://elsewhere.example'];
const DOMAINS = ['shop.example', 'blog.example', 'shop.example'];
const [TRACES, VISITORS, PAGES] = [4, 2, 3];
const PATHS = ['/', '/cart', '/checkout'];

/** Environments 0 and 1 and sites 0 and 1 are of one project, environment 2 and site 2 of another, whose origins are the same. */
const TIES: readonly Tie[] = [
  { environment: 0, origin: ORIGINS[0] as string, sites: [0, 1] },
  { environment: 0, origin: ORIGINS[1] as string, sites: [1] },
  { environment: 1, origin: ORIGINS[1] as string, sites: [0] },
  { environment: 2, origin: ORIGINS[0] as string, sites: [2] },
];

async function makeWorld(sql: Sql) {
  const projects = [await createTenant(sql), await createTenant(sql)] as const;
  const siteOf = async (projectId: string, domain: string): Promise<string> => {
    const [row] = await sql`
      insert into sites (project_id, domain, name) values (${projectId}, ${domain}, ${domain}) returning id`;
    return row?.id;
  };
  const of = (n: number) => projects[n === 2 ? 1 : 0];
  const sites = await Promise.all(DOMAINS.map((domain, n) => siteOf(of(n).projectId, domain)));
  const keys = [];
  for (const n of [0, 1, 2]) {
    const { projectId } = of(n);
    if (n === 1) await sql`update environments set name = 'staging' where project_id = ${projectId}`;
    keys.push((await addIngestKey(sql, projectId)).actor);
  }
  for (const { environment, origin, sites: tied } of TIES)
    await sql`
      insert into environment_origins (environment_id, origin, site_ids)
      values (${keys[environment]?.environmentId}, ${origin}, ${tied.map((n) => sites[n])}::uuid[])`;
  return { sites, keys, userOf: (environment: number) => of(environment).userId };
}

const index = (count: number) => fc.nat({ max: count - 1 });
const drawn = fc.record({
  associations: fc.array(
    fc.record({
      site: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, index(3)),
      visitor: index(VISITORS),
      page: index(PAGES),
      trace: index(TRACES),
      minute: fc.nat({ max: 90 }),
      origin: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, index(3)),
      status: fc.option(fc.constantFrom(0, 200, 503), { nil: undefined }),
      sent: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  views: fc.array(
    fc.record({
      site: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, index(3)),
      visitor: index(VISITORS),
      page: index(PAGES),
      minute: fc.nat({ max: 90 }),
    }),
    { maxLength: 8 },
  ),
  spans: fc.array(
    fc.record({
      environment: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, index(3)),
      /** Of the association with this number. */
      of: fc.nat(),
      apart: fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: -2000, max: 2000 }) },
        fc.constantFrom(NEAR_MS, -NEAR_MS, NEAR_MS + 1, -NEAR_MS - 1, 40 * MINUTE_MS),
      ),
      isServer: fc.boolean(),
      mark: fc.option(
        fc.constantFrom(
          'https://shop.example',
          'https://www.shop.example:8443',
          'https://m.blog.example',
          'https://notshop.example',
          'https://shop.example@evil.example',
          'null',
        ),
        { nil: undefined, freq: 2 },
      ),
      failed: fc.boolean(),
      durationMs: fc.integer({ min: 1, max: 900 }),
    }),
    { maxLength: 10 },
  ),
  outcomes: fc.array(fc.record({ environment: index(3), trace: index(TRACES) }), { maxLength: 3 }),
  order: fc.infiniteStream(fc.nat()),
});

test('what is linked, and by which evidence, depends on what came alone', async () => {
  const { sql } = database();
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(drawn, async ({ order, ...draw }) => {
      const { sites, keys, userOf } = await makeWorld(sql);
      const traceIds = Array.from({ length: TRACES }, () => randomUUID().replaceAll('-', ''));
      const visitors = sites.map(() => Array.from({ length: VISITORS }, () => randomUUID()));
      const pages = sites.map(() => visitors.map(() => Array.from({ length: PAGES }, () => randomUUID())));
      let positions = 0;
      /** Each has its own millisecond. */
      const atOf = (minute: number): number => START + minute * MINUTE_MS + (positions++ % 1000);
      const associations: OracleAssociation[] = draw.associations.map(({ minute, origin, ...one }) => ({
        ...one,
        at: atOf(minute),
        origin: ORIGINS[origin] as string,
      }));
      // A page id is of one page view.
      const views = draw.views
        .filter((one, n) => !draw.views.slice(0, n).some((other) => isSamePage(one, other)))
        .map(({ minute, ...one }) => ({ ...one, at: atOf(minute) }));
      const spans: OracleSpan[] = draw.spans.map(({ of, apart, durationMs, ...one }) => {
        const { trace, at } = associations[of % associations.length] as OracleAssociation;
        const spanId = randomUUID().replaceAll('-', '').slice(16);
        return { ...one, trace, at: at + apart, spanId, durationNano: durationMs * 1_000_000 };
      });
      // Of spans that begin together either may be the first.
      fc.pre(
        new Set(spans.map(({ at, trace, environment }) => `${at} ${trace} ${environment}`)).size ===
          spans.length,
      );
      const outcomes = draw.outcomes.map((one) => ({ ...one, domainEventId: randomUUID() }));

      const message = (
        site: number,
        visitor: number,
        event: TrackMessage['events'][number],
      ): TrackMessage => ({
        ...{ version: 1, siteId: sites[site] as string, tier: 3, continued: false },
        visitorId: visitors[site]?.[visitor] as string,
        events: [event],
      });
      const pageIdOf = ({ site, visitor, page }: { site: number; visitor: number; page: number }) =>
        pages[site]?.[visitor]?.[page] as string;
      const messages = [
        ...associations.map((one) => {
          const { at, origin, status, sent } = one;
          return message(one.site, one.visitor, {
            ...{ type: 'association', id: randomUUID(), at, pageId: pageIdOf(one), origin },
            ...{ traceId: traceIds[one.trace] as string, ...(status !== undefined && { status }) },
            ...(sent && { sent }),
          });
        }),
        ...views.map((one) =>
          message(one.site, one.visitor, {
            ...{ type: 'pageview', id: randomUUID(), at: one.at, pageId: pageIdOf(one) },
            ...{ hostname: DOMAINS[one.site] as string, path: PATHS[one.page] as string, entry: true },
          }),
        ),
      ];
      const deliveries: (() => Promise<unknown>)[] = [
        ...messages.map((one) => () => foldBatch(sql, [one], NOW)),
        ...spans.map(({ environment, trace, at, spanId, isServer, mark, failed, durationNano }) => () => {
          const actor = keys[environment];
          if (actor === undefined) throw new Error('no environment');
          const row = spanAt(at, {
            ...{
              traceId: traceIds[trace] as string,
              spanId,
              kind: isServer ? 2 : 3,
              statusCode: failed ? 2 : 0,
            },
            ...{ durationNano, attributes: mark === undefined ? {} : { 'vendor.page.origin': mark } },
          });
          return storeTraces({ sql, now: () => NOW, actor }, traces([row]));
        }),
        ...outcomes.map(({ environment, trace, domainEventId }) => () => {
          const actor = keys[environment];
          if (actor === undefined) throw new Error('no environment');
          const outcome = { source: 'shop', domainEventId, type: 'order.paid' };
          return recordOutcomes(
            { sql, now: () => NOW, actor, requestId: 'test' },
            {
              outcomes: [
                { ...outcome, occurredAt: new Date(NOW).toISOString(), traceId: traceIds[trace] as string },
              ],
            },
          );
        }),
      ];
      // Any order, some of them twice; or all messages as one batch.
      const keyed = [...deliveries, ...deliveries.filter(() => (order.next().value as number) % 4 === 0)].map(
        (deliver) => ({ deliver, spanIndex: order.next().value as number }),
      );
      if ((order.next().value as number) % 3 === 0) await foldBatch(sql, messages, NOW);
      for (const { deliver } of keyed.sort((a, b) => a.spanIndex - b.spanIndex)) await deliver();

      const facts = { associations, spans, ties: TIES };
      const visits = visitsOf(distinctEvents(messages));
      for (const [environment, actor] of keys.entries())
        for (const [trace, traceId] of traceIds.entries()) {
          const ctx = {
            ...{ sql, now: () => NOW },
            actor: { kind: 'session' as const, sessionId: '', userId: userOf(environment) },
          };
          const { projectId, environmentId } = actor;
          const link = linkOf({ environment, trace }, facts, DOMAINS);
          const answer = await getJourney(ctx, { projectId, environmentId, traceId }).catch(
            (error: { code: string }) => error.code,
          );
          const ofTrace = <Item extends { environment: number; trace: number }>(items: readonly Item[]) =>
            items.filter((item) => item.environment === environment && item.trace === trace);
          if (link === undefined && ofTrace(spans).length === 0 && ofTrace(outcomes).length === 0) {
            expect(answer).toBe('NOT_FOUND');
            continue;
          }
          if (typeof answer === 'string') throw new Error(answer);
          const { data } = answer;
          expect(data.outcomes.map(({ domainEventId }) => domainEventId).sort()).toEqual(
            ofTrace(outcomes)
              .map(({ domainEventId }) => domainEventId)
              .sort(),
          );
          expect(data.spans.filter(({ missing }) => !missing)).toHaveLength(ofTrace(spans).length);
          if (link === undefined) {
            expect(data).toMatchObject({ association: null, visit: null, pageViews: [] });
            continue;
          }
          const { association, evidence, span } = link;
          seen.set(evidence, (seen.get(evidence) ?? 0) + 1);
          const {
            pageView,
            span: spanIndex,
            ...linked
          } = data.association as NonNullable<typeof data.association>;
          expect(linked).toEqual({
            ...{ evidence, origin: association.origin, status: association.status ?? null },
            ...{ toldAt: new Date(association.at).toISOString(), spanId: span?.spanId ?? null },
          });
          expect(spanIndex === null ? null : data.spans[spanIndex]?.spanId).toBe(span?.spanId ?? null);
          const visit = visits.find(
            ({ visitorId, startedAt, endedAt }) =>
              visitorId === visitors[association.site]?.[association.visitor] &&
              startedAt <= association.at &&
              endedAt >= association.at,
          );
          expect(data.visit).toEqual({
            ...{ siteId: sites[association.site], domain: DOMAINS[association.site], source: 'Direct' },
            startedAt: new Date(visit?.startedAt as number).toISOString(),
          });
          expect(data.pageViews).toEqual(
            visit?.pages.map(({ at, text }) => ({ time: new Date(at).toISOString(), path: text })),
          );
          const view = views.find((one) => isSamePage(one, association));
          const shown = pageView === null ? undefined : data.pageViews[pageView];
          const isInVisit = visit?.pages.some(({ at }) => at === view?.at) === true;
          expect(shown).toEqual(
            isInVisit && view !== undefined
              ? { time: new Date(view.at).toISOString(), path: PATHS[view.page] }
              : undefined,
          );
        }

      // The same links, from the page.
      for (const [page, path] of PATHS.entries()) {
        const { data } = await reportAssociations(
          { sql, now: () => NOW, actor: { kind: 'session', sessionId: '', userId: userOf(0) } },
          { siteId: sites[0] as string, range: { period: '7d' }, limit: 100, page: path },
        );
        const links = [0, 1].flatMap((environment) =>
          traceIds.flatMap((_, trace) => {
            const link = linkOf({ environment, trace }, facts, DOMAINS);
            const isOfPage =
              link?.association.site === 0 &&
              link.association.page === page &&
              views.some((view) => isSamePage(view, link.association));
            return link !== undefined && isOfPage ? [link] : [];
          }),
        );
        const count = (evidence: string) => links.filter((link) => link.evidence === evidence).length;
        const sum = (of: (row: (typeof data)[number]) => number | null) =>
          data.reduce((all, row) => all + (of(row) ?? 0), 0);
        expect({
          requests: sum(({ requests }) => requests),
          failed: sum(({ failed }) => failed),
          bothSides: sum(({ bothSides }) => bothSides),
          responseContext: sum(({ responseContext }) => responseContext),
          traceparentSent: sum(({ traceparentSent }) => traceparentSent),
          notConfirmed: sum(({ notConfirmed }) => notConfirmed),
        }).toEqual({
          requests: links.length,
          failed: links.filter(({ span }) => span?.failed).length,
          bothSides: count('both sides'),
          responseContext: count('response context'),
          traceparentSent: count('traceparent sent'),
          notConfirmed: count('not confirmed'),
        });
      }
    }),
    { numRuns: ORACLE_RUNS, endOnFailure: true },
  );
  expect([...seen.keys()].sort()).toEqual([
    'both sides',
    'not confirmed',
    'response context',
    'traceparent sent',
  ]);
}, 300_000);

const isSamePage = (
  a: { site: number; visitor: number; page: number },
  b: { site: number; visitor: number; page: number },
): boolean => a.site === b.site && a.visitor === b.visitor && a.page === b.page;
