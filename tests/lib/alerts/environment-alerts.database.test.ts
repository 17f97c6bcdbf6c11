/** Alerts of environments are evaluated with the rights of the function that does it. */
import { expect, test } from 'vitest';
import { ENVIRONMENT_METRICS } from '../../../lib/alerts/alert-fields.ts';
import { evaluateAlerts } from '../../../lib/alerts/evaluate-alerts.ts';
import { connectDatabase } from '../../../lib/db.ts';
import { sumErrors } from '../../../lib/telemetry/errors/sum-errors.ts';
import { makeSite } from '../../ingest/ingest-site.ts';
import { addTrace } from '../../security/trace.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();
const MINUTE_MS = 60_000;
const NOON = Date.parse('2026-11-23T12:00:00.000Z');

const SUBJECTS: Partial<Record<(typeof ENVIRONMENT_METRICS)[number], object>> = {
  metric: { metricName: 'queue.depth', aggregation: 'max' },
  outcomes: { outcome: 'order.paid' },
  silence: { service: 'shop' },
  logs: { text: 'refused', severity: 'ERROR' },
};

test('every metric of an environment can be read', async () => {
  const { sql, neon } = database();
  const siteId = await makeSite(sql);
  const [environment] = await sql`
    insert into environments (project_id, name) select project_id, 'production' from sites where id = ${siteId} returning id, project_id`;
  for (const metric of ENVIRONMENT_METRICS)
    await sql`
      insert into alert_rules (project_id, environment_id, name, metric, subject, compare, threshold, for_minutes, channels, created_at)
      values (${environment?.project_id}, ${environment?.id}, ${metric}, ${metric}, ${JSON.stringify(SUBJECTS[metric] ?? {})}::jsonb,
        ${metric === 'silence' ? 'silent' : 'above'}, 0, 5, '{}', ${new Date(NOON).toISOString()}::timestamptz)`;
  const role = connectDatabase({ url: neon.urlOf('vendor_alerts'), endpoint: neon.endpoint });
  const round = await evaluateAlerts({ sql: role, now: () => NOON + 1000 });
  expect(round.evaluated).toBe(ENVIRONMENT_METRICS.length);
  const rules =
    await sql`select metric, state from alert_rules where environment_id = ${environment?.id} order by metric`;
  expect(rules.map(({ metric }) => metric)).toEqual([...ENVIRONMENT_METRICS].sort());
  expect(new Set(rules.map(({ state }) => state))).toEqual(new Set(['no_data', 'ok']));
});

test('a new group of errors and one that came back fire once, with its title', async () => {
  const { sql, neon } = database();
  const siteId = await makeSite(sql);
  const [environment] = await sql`
    insert into environments (project_id, name) select project_id, 'production' from sites where id = ${siteId} returning id, project_id`;
  const { id: environmentId, project_id: projectId } = environment as { id: string; project_id: string };
  const [channel] = await sql`
    insert into message_channels (project_id, kind, name, address, events, language, created_at, confirmed_at, secret_salt, counted_as)
    values (${projectId}, 'webhook', 'Hook', 'https://hooks.example.com/x', '{}', 'en', now(), now(), gen_random_uuid(), sha256('x'))
    returning id`;
  for (const metric of ['new_error', 'returned_error'])
    await sql`
      insert into alert_rules (project_id, environment_id, name, metric, subject, compare, threshold, for_minutes, channels, created_at)
      values (${projectId}, ${environmentId}, ${metric}, ${metric}, '{}', 'above', 0, 5, array[${channel?.id}::uuid],
        ${new Date(NOON).toISOString()}::timestamptz)`;
  const role = connectDatabase({ url: neon.urlOf('vendor_alerts'), endpoint: neon.endpoint });
  const round = (minutes: number) =>
    evaluateAlerts({ sql: role, now: () => NOON + minutes * MINUTE_MS + 1000 });
  const messages = async () =>
    (
      await sql`select event, payload from outbox where project_id = ${projectId} order by decided_at, event`
    ).map(({ event, payload }) => [event, payload.metric, payload.changed]);
  const fail = async (minutes: number, trace: string) => {
    const at = NOON + minutes * MINUTE_MS;
    await addTrace(sql, environmentId, trace, at);
    await sumErrors({ sql, now: () => at });
  };

  await round(0);
  await fail(1, 'a'.repeat(32));
  await round(2);
  const changed = (inThisHour: number) => [
    { dimension: 'error', value: 'Error · GET /cart', change: inThisHour },
  ];
  const first = ['alert.firing', 'new_error', changed(1)];
  expect(await messages()).toEqual([first]);
  // The same group again is not new.
  await fail(3, 'b'.repeat(32));
  for (const minutes of [4, 6, 12, 13]) await round(minutes);
  const over = ['alert.over', 'new_error', undefined];
  expect(await messages()).toEqual([first, over]);

  await sql`
    update error_groups set state = 'resolved', resolved_nano = ${String((NOON + 20 * MINUTE_MS) * 1e6)}::bigint
    where environment_key = (select key from environments where id = ${environmentId})`;
  await fail(21, 'c'.repeat(32));
  await round(22);
  expect(await messages()).toEqual([first, over, ['alert.firing', 'returned_error', changed(3)]]);
  // Nobody hears of a group that is ignored.
  await sql`
    update error_groups set state = 'ignored', noted_at = ${new Date(NOON + 60 * MINUTE_MS).toISOString()}::timestamptz
    where environment_key = (select key from environments where id = ${environmentId})`;
  await round(61);
  expect((await messages()).filter(([event]) => event === 'alert.firing')).toHaveLength(2);
});
