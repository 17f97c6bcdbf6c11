/** Stores and folds the messages of `track` and `sites`, at once or from the queue. Its crons keep partitions and salts in order. */
import type { MessageBatch, ScheduledController } from '@cloudflare/workers-types';
import { sumFilters } from '../../lib/analytics/sums/sum-filters.ts';
import { bury } from '../../lib/collection/bury.ts';
import { expireValues } from '../../lib/collection/expire-values.ts';
import { expireVisits } from '../../lib/collection/expire-visits.ts';
import { ingestBatch, ingestMessages, isLocked, type Limits } from '../../lib/collection/ingest-messages.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { Ports } from '../../lib/context.ts';
import { runCron } from '../../lib/cron-runs.ts';
import { DEADLINES_MS } from '../../lib/db.ts';
import { connectSaltRedis } from '../../lib/http/connect-salt-redis.ts';
import { connectSql } from '../../lib/http/connect-stores.ts';
import { prepareOnce } from '../../lib/http/env.ts';
import { healthEntrypoint } from '../../lib/http/health.ts';
import { causesOf, logToConsole, reportJob } from '../../lib/http/log.ts';
import { expireImports } from '../../lib/imports/expire-imports.ts';
import { forgetSalts } from '../../lib/privacy/salt.ts';
import { expireAudit } from '../../lib/projects/expire-audit.ts';
import { changeZones } from '../../lib/sites/change-zones.ts';
import { continueDeletions } from '../../lib/sites/site-deletions.ts';
import { Env } from './env.ts';

const DEAD_LETTER_QUEUE = 'vendor-events-dead';
const MAX_RETRY_DELAY_SECONDS = 300;
/** Maximum time per run of the cron. The next run does the rest. */
const SEALING_MS = 5 * 60 * 1000;
/** Limits of a fold that a request waits for. A slower fold means a burst on one site or a slow database. */
const PATIENCE = { lockMs: 250, statementMs: 1000 };
/** Beyond them the queue takes the messages. */
const REQUEST_LIMITS: Limits = { shared: PATIENCE, alone: PATIENCE, totalMs: 1000 };

const prepare = prepareOnce(Env, (env) => ({
  ports: {
    sql: connectSql(env, DEADLINES_MS.background),
    now: () => Date.now(),
  },
  saltRedis: connectSaltRedis(env),
}));

function reportDead(dead: number): void {
  if (dead > 0) logToConsole({ level: 'error', function: 'ingest', event: 'dead letters' });
}

/** Days that can't be sealed are in the log and in `seal_faults`; their reports stay right, and take longer. */
async function seal(ports: Ports): Promise<void> {
  const { faults } = await sealVisits(ports, { timeMs: SEALING_MS });
  for (const { siteKey, day, fault } of faults)
    logToConsole({
      level: 'error',
      function: 'ingest',
      event: `day ${day} of site ${siteKey} not sealed`,
      causes: causesOf(fault),
    });
}

/** 2, 4, 8 ... seconds: a restarting database and a busy site get time to recover. */
const retryDelaySeconds = (attempts: number): number =>
  Math.min(MAX_RETRY_DELAY_SECONDS, 2 ** Math.min(attempts, 10));

export const Health = healthEntrypoint(Env, (env) => connectSql(env, DEADLINES_MS.management), 'ingest');

/**
 * Accepts messages. Only `track` and `sites` have a binding to it. 204: everything is stored or kept as a dead letter. 503: the caller
 * must queue them.
 */
export const Messages = {
  async fetch(request: Request, raw: object): Promise<Response> {
    try {
      const { ports } = prepare(raw).resources;
      const { dead } = await ingestMessages(ports, await request.json(), REQUEST_LIMITS);
      reportDead(dead);
      return new Response(null, { status: 204 });
    } catch (error) {
      // A site that is busy: the queue folds many of its messages as one.
      const level = isLocked(error) ? 'info' : 'error';
      logToConsole({ level, function: 'ingest', event: 'not folded', causes: causesOf(error) });
      return new Response(null, { status: 503 });
    }
  },
};

export default {
  /** Nothing is asked of this function but by its entrypoints with a name. */
  fetch: (): Response => new Response(null, { status: 404 }),

  async queue(batch: MessageBatch, raw: object): Promise<void> {
    try {
      const { ports } = prepare(raw).resources;
      const bodies = batch.messages.map((message) => message.body);
      if (batch.queue === DEAD_LETTER_QUEUE) {
        const reason = 'not stored after the last retry';
        await bury(
          ports.sql,
          bodies.map((body) => ({ body, reason })),
        );
        return;
      }
      const { dead, waiting, faults } = await ingestBatch(ports, bodies);
      reportDead(dead);
      for (const index of waiting) {
        const message = batch.messages[index];
        message?.retry({ delaySeconds: retryDelaySeconds(message.attempts) });
      }
      if (waiting.length > 0)
        logToConsole({
          level: 'error',
          function: 'ingest',
          event: 'messages retried',
          causes: causesOf(faults[0]),
        });
    } catch (error) {
      logToConsole({ level: 'error', function: 'ingest', event: 'batch retried', causes: causesOf(error) });
      const attempts = Math.max(1, ...batch.messages.map((message) => message.attempts));
      batch.retryAll({ delaySeconds: retryDelaySeconds(attempts) });
    }
  },

  /** Runs every 15 minutes. Each job remembers what is left; a job that fails doesn't stop the others. */
  async scheduled(controller: ScheduledController, raw: object): Promise<void> {
    const { ports, saltRedis } = prepare(raw).resources;
    await runCron(ports, {
      function: 'ingest',
      report: reportJob('ingest'),
      jobs: {
        maintainVisits,
        forgetSalts: () => forgetSalts(saltRedis, controller.scheduledTime),
        expireVisits: (own) => expireVisits(own).then(() => expireValues(own)),
        expireImports,
        expireAudit,
        continueDeletions,
        changeZones,
        sealVisits: seal,
        sumFilters: (own) => sumFilters(own, { timeMs: SEALING_MS }),
      },
    });
  },
};
