/** Sends what waits in the outbox: by a cron, and at once when its queue says that something waits. */
import type { MessageBatch } from '@cloudflare/workers-types';
import { runCron } from '../../lib/cron-runs.ts';
import { DEADLINES_MS } from '../../lib/db.ts';
import { connectSql } from '../../lib/http/connect-stores.ts';
import { prepareOnce } from '../../lib/http/env.ts';
import { healthEntrypoint } from '../../lib/http/health.ts';
import { causesOf, logToConsole, reportJob } from '../../lib/http/log.ts';
import { decideMailReports } from '../../lib/messages/decide-mail-reports.ts';
import { expireMessages } from '../../lib/messages/expire-messages.ts';
import { sendDue } from '../../lib/messages/send-due.ts';
import { createMessagesApp } from './app.ts';
import { Env } from './env.ts';
import { createResources, type Resources } from './resources.ts';

/** A run ends before the next one begins. */
const SENDING_MS = 50_000;
/** A retry that is due before the next cron is waited for by the queue. */
const CRON_MS = 60_000;

const prepare = prepareOnce(Env, createResources);

export const Health = healthEntrypoint(Env, (env) => connectSql(env, DEADLINES_MS.management), 'messages');

/** Sends what is due. What is left, or soon tried again, is asked for by the queue; without the queue the next cron does it. */
async function send({ sender, wake }: Resources): Promise<void> {
  const { isDone, retryMs } = await sendDue(sender, { timeMs: SENDING_MS });
  const delayMs = isDone ? retryMs : 0;
  if (delayMs === undefined || delayMs > CRON_MS) return;
  await wake.send(null, { delaySeconds: Math.ceil(delayMs / 1000) });
}

export default {
  fetch: createMessagesApp().fetch,

  async queue(batch: MessageBatch, raw: object): Promise<void> {
    try {
      await send(prepare(raw as never).resources);
    } catch (error) {
      // The rows wait in the outbox: the cron sends them.
      logToConsole({ level: 'error', function: 'messages', event: 'not sent', causes: causesOf(error) });
    }
    batch.ackAll();
  },

  /** Runs every minute. */
  async scheduled(_: unknown, raw: object): Promise<void> {
    const { resources } = prepare(raw as never);
    await runCron(resources.sender, {
      function: 'messages',
      report: reportJob('messages'),
      inTurn: true,
      jobs: { decideMailReports, sendDue: () => send(resources), expireMessages },
    });
  },
};
