/** A site with alerts, and visits at minutes of one's own. */
import { randomUUID } from 'node:crypto';
import { evaluateAlerts } from '../../../lib/alerts/evaluate-alerts.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { Sql } from '../../../lib/db.ts';
import { makeSite } from '../../ingest/ingest-site.ts';

export const MINUTE_MS = 60_000;

export interface AlertSite {
  siteId: string;
  projectId: string;
  /** Folds this many visits that begin at an instant, each with one page view and an event. */
  visit(at: number, visits: number, how?: { source?: string; path?: string; event?: string }): Promise<void>;
  /** Makes an alert whose messages go to a webhook, and returns its id. */
  alert(rule: Record<string, unknown>): Promise<string>;
  /** The round at an instant. */
  round(at: number): ReturnType<typeof evaluateAlerts>;
  /** The states and messages that the history has, oldest first. */
  history(
    alertId: string,
  ): Promise<{ at: string; state: string; message: string | null; value: number | null }[]>;
  /** The messages in the outbox, oldest first. */
  messages(): Promise<{ event: string; payload: Record<string, unknown> }[]>;
}

/** Makes a site that was first visited at `since` and whose minutes are counted from then on. */
export async function alertSite(sql: Sql, since: number, zone = 'UTC'): Promise<AlertSite> {
  const siteId = await makeSite(sql, zone);
  const [site] = await sql`select project_id from sites where id = ${siteId}`;
  const projectId: string = site?.project_id;
  const channelId = randomUUID();
  await sql`
    insert into message_channels (project_id, id, kind, name, address, events, language, created_at, confirmed_at, secret_salt, counted_as)
    values (${projectId}, ${channelId}, 'webhook', 'Hook', ${`https://example.com/${channelId}`}, '{}', 'en', now(), now(), ${randomUUID()}, '\\x00')`;
  const watched = new Date(since).toISOString();
  await sql`
    insert into site_watches (site_key, since, wanted, asked_at)
    select key, ${watched}::timestamptz, ${watched}::timestamptz, ${watched}::timestamptz from sites where id = ${siteId}`;
  const site_: AlertSite = {
    siteId,
    projectId,
    visit: async (at, visits, { source, path = '/', event } = {}) => {
      const messages = Array.from({ length: visits }, () => ({
        version: 1 as const,
        siteId,
        tier: 3 as const,
        visitorId: randomUUID(),
        continued: false,
        ...{ country: 'PT', device: 'mobile' as const },
        events: [
          {
            ...{
              type: 'pageview' as const,
              id: randomUUID(),
              at,
              hostname: 'example.com',
              path,
              entry: true,
            },
            ...(source !== undefined && { source, channel: 'social' as const }),
          },
          ...(event === undefined
            ? []
            : [
                {
                  ...{
                    type: 'event' as const,
                    id: randomUUID(),
                    at,
                    hostname: 'example.com',
                    path,
                    entry: true,
                  },
                  name: event,
                  revenue: { amount: '12.50', currency: 'EUR' },
                },
              ]),
        ],
      }));
      for (let n = 0; n < messages.length; n += 50)
        await foldBatch(sql, messages.slice(n, n + 50) as never, at);
    },
    alert: async ({
      metric = 'visits',
      compare = 'above',
      threshold = 0,
      forMinutes = 5,
      mutedUntil = null,
      ...subject
    }) => {
      const [row] = await sql`
        insert into alert_rules (project_id, site_id, name, metric, subject, compare, threshold, for_minutes, channels, muted_until, created_at)
        values (${projectId}, ${siteId}, 'Alert', ${metric}, ${JSON.stringify(subject)}::jsonb, ${compare}, ${threshold}, ${forMinutes},
          array[${channelId}]::uuid[], ${mutedUntil}::timestamptz, ${watched}::timestamptz)
        returning id`;
      return row?.id;
    },
    round: (at) => evaluateAlerts({ sql, now: () => at }),
    history: async (alertId) => {
      const rows = await sql`
        select to_char(at at time zone 'UTC', 'HH24:MI') as at, state, message, value from alert_changes where alert_id = ${alertId} order by alert_changes.at`;
      return rows as Awaited<ReturnType<AlertSite['history']>>;
    },
    messages: async () => {
      const rows =
        await sql`select event, payload from outbox where project_id = ${projectId} order by decided_at, dedupe`;
      return rows as Awaited<ReturnType<AlertSite['messages']>>;
    },
  };
  return site_;
}
