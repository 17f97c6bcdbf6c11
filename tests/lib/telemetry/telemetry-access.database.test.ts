/** Who sees an environment's telemetry: each actor, and query tokens with every restriction, call each verb that reads. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { TelemetryActor } from '../../../lib/access.ts';
import type { ActorOf } from '../../../lib/context.ts';
import type { Sql } from '../../../lib/db.ts';
import { listOutcomes } from '../../../lib/outcomes/list-outcomes.ts';
import { ListOutcomes } from '../../../lib/outcomes/schemas.ts';
import { countLogs } from '../../../lib/telemetry/count-logs.ts';
import { ListErrors } from '../../../lib/telemetry/errors/error-schemas.ts';
import { listErrors } from '../../../lib/telemetry/errors/list-errors.ts';
import { findLogs } from '../../../lib/telemetry/find-logs.ts';
import { findTraces } from '../../../lib/telemetry/find-traces.ts';
import { getConnectionStatus } from '../../../lib/telemetry/get-connection-status.ts';
import { getJourney } from '../../../lib/telemetry/get-journey.ts';
import { getTrace } from '../../../lib/telemetry/get-trace.ts';
import { listServices } from '../../../lib/telemetry/list-services.ts';
import { CountLogs, FindLogs } from '../../../lib/telemetry/log-schemas.ts';
import { mapServices } from '../../../lib/telemetry/map-services.ts';
import { listExemplars } from '../../../lib/telemetry/metrics/list-exemplars.ts';
import { listMetrics } from '../../../lib/telemetry/metrics/list-metrics.ts';
import { ListExemplars, ListMetrics, ReadMetric } from '../../../lib/telemetry/metrics/metric-schemas.ts';
import { readMetric } from '../../../lib/telemetry/metrics/read-metric.ts';
import { getOrigins } from '../../../lib/telemetry/origins.ts';
import type { TelemetryContext } from '../../../lib/telemetry/query-telemetry.ts';
import { readLatencies } from '../../../lib/telemetry/read-latencies.ts';
import {
  ListServices,
  MapServices,
  ReadLatencies,
  SummarizeService,
} from '../../../lib/telemetry/span-schemas.ts';
import { storeTraces } from '../../../lib/telemetry/store-traces.ts';
import { summarizeService } from '../../../lib/telemetry/summarize-service.ts';
import { getRetention } from '../../../lib/telemetry/telemetry-retention.ts';
import { FindTraces } from '../../../lib/telemetry/trace-schemas.ts';
import { addIngestKey } from '../../security/session.ts';
import { addMember, createTenant } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';
import { spanAt, traces } from './ingest-sender.ts';

const database = useDatabase();
const SPAN = spanAt(Date.now());
const { traceId } = SPAN;

interface EnvironmentIds {
  projectId: string;
  environmentId: string;
}

/** Each verb with its smallest input. */
const verbs: Record<string, (ctx: TelemetryContext, ids: EnvironmentIds) => Promise<unknown>> = {
  getConnectionStatus,
  getOrigins,
  getRetention,
  listServices: (ctx, ids) => listServices(ctx, v.parse(ListServices, ids)),
  summarizeService: (ctx, ids) => summarizeService(ctx, v.parse(SummarizeService, { ...ids, service: 'a' })),
  readLatencies: (ctx, ids) => readLatencies(ctx, v.parse(ReadLatencies, { ...ids, service: 'a' })),
  mapServices: (ctx, ids) => mapServices(ctx, v.parse(MapServices, ids)),
  findTraces: (ctx, ids) => findTraces(ctx, v.parse(FindTraces, ids)),
  getTrace: (ctx, ids) => getTrace(ctx, { ...ids, traceId }),
  listErrors: (ctx, ids) => listErrors(ctx, v.parse(ListErrors, ids)),
  getJourney: (ctx, ids) => getJourney(ctx, { ...ids, traceId }),
  findLogs: (ctx, ids) => findLogs(ctx, v.parse(FindLogs, ids)),
  countLogs: (ctx, ids) => countLogs(ctx, v.parse(CountLogs, ids)),
  listMetrics: (ctx, ids) => listMetrics(ctx, v.parse(ListMetrics, ids)),
  listExemplars: (ctx, ids) => listExemplars(ctx, v.parse(ListExemplars, { ...ids, name: 'a' })),
  readMetric: (ctx, ids) => readMetric(ctx, v.parse(ReadMetric, { ...ids, name: 'a', aggregation: 'avg' })),
  listOutcomes: (ctx, ids) => listOutcomes(ctx, v.parse(ListOutcomes, ids)),
};

async function createWorld(sql: Sql) {
  const tenant = await createTenant(sql);
  const { actor } = await addIngestKey(sql, tenant.projectId);
  await storeTraces({ sql, now: Date.now, actor }, traces([SPAN]));
  const ids = { projectId: tenant.projectId, environmentId: actor.environmentId };
  return { ...tenant, ids };
}

type World = Awaited<ReturnType<typeof createWorld>>;

/** The names of the verbs that answer, and of those that throw `NOT_FOUND`. */
async function judge(sql: Sql, actor: TelemetryActor, ids: EnvironmentIds) {
  const judged = { seen: [] as string[], notFound: [] as string[] };
  for (const [name, ask] of Object.entries(verbs)) {
    const fault = await ask({ sql, now: Date.now, actor }, ids).then(
      () => undefined,
      (error) => error,
    );
    if (fault === undefined) judged.seen.push(name);
    else if (fault.code === 'NOT_FOUND') judged.notFound.push(name);
    else throw fault;
  }
  return judged;
}

const everything = { seen: Object.keys(verbs), notFound: [] };
const nothing = { seen: [], notFound: Object.keys(verbs) };

const session = (userId: string): ActorOf<'session'> => ({ kind: 'session', sessionId: '', userId });
const token = (
  userId: string,
  projectIds: readonly string[] | null,
  siteIds: readonly string[] | null,
): ActorOf<'queryToken'> => ({ kind: 'queryToken', tokenId: '', userId, scopes: [], projectIds, siteIds });

const key = (
  userId: string,
  projectIds: readonly string[] | null,
  siteIds: readonly string[] | null,
): ActorOf<'apiToken'> => ({ kind: 'apiToken', tokenId: '', userId, access: 'read', projectIds, siteIds });

const OTHER = '00000000-0000-4000-8000-000000000000';

const actors: [who: string, actor: (world: World) => TelemetryActor, sees: boolean][] = [
  ['a member by session', ({ userId }) => session(userId), true],
  ['whoever runs the service', () => ({ kind: 'operator' }), true],
  ['a query token of all projects', ({ userId }) => token(userId, null, null), true],
  ['one of this project', ({ userId, projectId }) => token(userId, [OTHER, projectId], null), true],
  ['one of another project', ({ userId }) => token(userId, [OTHER], null), false],
  ['one of no project', ({ userId }) => token(userId, [], null), false],
  ['one of a site of this project', ({ userId, siteId }) => token(userId, null, [siteId]), false],
  ['one of no site', ({ userId }) => token(userId, null, []), false],
  ['an API key of all projects', ({ userId }) => key(userId, null, null), true],
  ['an API key of this project', ({ userId, projectId }) => key(userId, [projectId], null), true],
  ['an API key of another project', ({ userId }) => key(userId, [OTHER], null), false],
  ['an API key of a site of this project', ({ userId, siteId }) => key(userId, null, [siteId]), false],
  [
    'one of this project and a site of it',
    ({ userId, projectId, siteId }) => token(userId, [projectId], [siteId]),
    true,
  ],
  ['one of another project and a site', ({ userId, siteId }) => token(userId, [OTHER], [siteId]), false],
];

describe('an environment is seen', () => {
  test.each(actors)('by %s, or not', async (_, actorOf, sees) => {
    const { sql } = database();
    const world = await createWorld(sql);
    expect(await judge(sql, actorOf(world), world.ids)).toEqual(sees ? everything : nothing);
  });

  test('by nobody whose membership was removed, or who never had one, and not through another project', async () => {
    const { sql } = database();
    const world = await createWorld(sql);
    const { projectId } = world;
    const viewer = await addMember(sql, projectId, 'viewer');
    const stranger = await createWorld(sql);
    const asked = [session(viewer.userId), token(viewer.userId, [projectId], null)];
    for (const actor of asked) expect(await judge(sql, actor, world.ids)).toEqual(everything);
    await sql`delete from project_members where project_id = ${projectId} and user_id = ${viewer.userId}`;
    for (const actor of [
      ...asked,
      session(stranger.userId),
      token(stranger.userId, [projectId], null),
      token(stranger.userId, null, null),
    ])
      expect(await judge(sql, actor, world.ids)).toEqual(nothing);
    const crossed = { ...world.ids, projectId: stranger.projectId };
    for (const actor of [session(stranger.userId), { kind: 'operator' } as const])
      expect(await judge(sql, actor, crossed)).toEqual(nothing);
  });
});
