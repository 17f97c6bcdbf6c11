/** Alerts of environments are evaluated with the rights of the function that does it. */
import { expect, test } from 'vitest';
import { ENVIRONMENT_METRICS } from '../../../lib/alerts/alert-subject.ts';
import { evaluateAlerts } from '../../../lib/alerts/evaluate-alerts.ts';
import { connectDatabase } from '../../../lib/db.ts';
import { makeSite } from '../../ingest/ingest-site.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();
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
