/** The round of every minute: what each alert's sums say, which states change, and what channels hear of it (docs/alerts.md#evaluation). */
import type { Ports } from '../context.ts';
import { holds, type Reading } from './alert-condition.ts';
import { ENVIRONMENT_METRICS, SITE_METRICS, unitOf } from './alert-fields.ts';
import { type AlertRow, ruleOfRow } from './alert-rows.ts';
import { type AlertStatus, type Step, stepAlert } from './alert-state.ts';
import { subjectText } from './alert-subject.ts';
import { viewOf } from './alert-view.ts';
import { type RuleAsked, readRules } from './ask-windows.ts';
import { type Mover, readMovers } from './read-movers.ts';

const METRICS: readonly string[] = [...SITE_METRICS, ...ENVIRONMENT_METRICS];
const MINUTE_MS = 60_000;
/** Rules of one statement. */
const BATCH = 250;
/** Minutes of missed rounds that are made up for, at most; a rule whose state is older begins with the present minute. */
export const MAX_MISSED_MINUTES = 15;

interface DueRow extends AlertRow {
  project_id: string;
  project_name: string;
  site_id: string | null;
  environment_id: string | null;
  owner_name: string;
  key: number;
  zone: string;
  goal_key: number | null;
  goal_name: string | null;
  first_at: Date | null;
}

interface Change {
  at: string;
  state: Step['state'];
  message: Step['message'];
  value: number | null;
  baseline: number | null;
  threshold: number;
  reason: Reading['reason'];
  movers: readonly Mover[] | null;
  details: object | null;
}

interface Outcome {
  row: DueRow;
  status: AlertStatus;
  reading: Reading;
  evaluatedTo: number;
  changes: (Omit<Change, 'movers' | 'details'> & { since: number })[];
}

export interface Round {
  evaluated: number;
  changes: number;
}

/**
 * Evaluates every alert up to the last whole minute, by batches: one statement lists the rules that are due, one reads all sums, one writes
 * states, history and messages. Rounds that run at once, or again, change a rule once: who comes second finds it evaluated.
 */
export async function evaluateAlerts(ports: Ports): Promise<Round> {
  const minute = Math.floor(ports.now() / MINUTE_MS) * MINUTE_MS;
  const round = { evaluated: 0, changes: 0 };
  let after: Pick<DueRow, 'project_id' | 'id'> | undefined;
  do {
    const due = await listDue(ports, minute, after);
    after = due.length === BATCH ? due.at(-1) : undefined;
    if (due.length === 0) break;
    const written = await writeOutcomes(ports, minute, await evaluate(ports, minute, due));
    round.evaluated += written.evaluated;
    round.changes += written.changes;
  } while (after !== undefined);
  return round;
}

/**
 * Rules by the primary key of `alert_rules`, which all of them are read by: they are few. A rule with a metric of a later version, as during
 * an upgrade, is left to that version.
 */
async function listDue(
  { sql }: Ports,
  minute: number,
  after: Pick<DueRow, 'project_id' | 'id'> | undefined,
): Promise<DueRow[]> {
  const rows = await sql`
    select rule.*, project.name as project_name, coalesce(site.name, environment.name) as owner_name,
      coalesce(site.key, environment.key) as key, coalesce(site.timezone, 'UTC') as zone, goal.key as goal_key, goal.name as goal_name,
      coalesce(
        (select first_event_at from site_freshness where site_key = site.key),
        (select minute from span_hours where environment_key = environment.key order by minute limit 1)
      ) as first_at
    from alert_rules rule
    join projects project on project.id = rule.project_id
    left join sites site on site.id = rule.site_id
    left join environments environment on environment.id = rule.environment_id
    left join site_goals goal on goal.site_id = rule.site_id and goal.id = (rule.subject ->> 'goalId')::uuid
    where rule.metric = any (${METRICS}::text[])
      and (rule.evaluated_to is null or rule.evaluated_to < ${new Date(minute).toISOString()}::timestamptz)
      and (${after?.id ?? null}::uuid is null or (rule.project_id, rule.id) > (${after?.project_id ?? null}::uuid, ${after?.id ?? null}::uuid))
    order by rule.project_id, rule.id
    limit ${BATCH}`;
  return rows as DueRow[];
}

/** The ends of the minutes that a rule is evaluated at, oldest first. */
export function minutesOf(evaluatedTo: Date | null, minute: number): number[] {
  const missed = evaluatedTo === null ? 1 : (minute - evaluatedTo.getTime()) / MINUTE_MS;
  if (missed > MAX_MISSED_MINUTES) return [minute];
  return Array.from({ length: missed }, (_, n) => minute - (missed - 1 - n) * MINUTE_MS);
}

async function evaluate(ports: Ports, minute: number, due: readonly DueRow[]): Promise<Outcome[]> {
  const minutes = due.map(({ evaluated_to }) => minutesOf(evaluated_to, minute));
  const asked = due.flatMap((row, n): RuleAsked[] =>
    (minutes[n] ?? []).map((at) => ({
      rule: ruleOfRow(row),
      key: row.key,
      zone: row.zone,
      goalKey: row.goal_key,
      firstAt: row.first_at?.getTime() ?? null,
      at,
      environment:
        row.environment_id === null ? null : { projectId: row.project_id, environmentId: row.environment_id },
    })),
  );
  const readings = await readRules(ports, asked);
  let next = 0;
  return due.map((row, n) => {
    const ats = minutes[n] ?? [];
    const own = readings.slice(next, next + ats.length);
    next += ats.length;
    return follow(row, ats, own);
  });
}

/** The rule's steps through its minutes. */
function follow(row: DueRow, minutes: readonly number[], readings: readonly Reading[]): Outcome {
  const rule = ruleOfRow(row);
  let status: AlertStatus = {
    state: row.state,
    alarmSince: row.alarm_since?.getTime() ?? null,
    calmSince: row.calm_since?.getTime() ?? null,
  };
  const changes: Outcome['changes'] = [];
  let last: Reading = { value: row.value, reason: row.reason };
  for (const [n, at] of minutes.entries()) {
    last = readings[n] ?? last;
    const before = status;
    const step = stepAlert(status, {
      at,
      holds: holds(rule, last),
      muted: row.muted_until !== null && row.muted_until.getTime() > at,
    });
    status = { state: step.state, alarmSince: step.alarmSince, calmSince: step.calmSince };
    if (step.changed)
      changes.push({
        at: new Date(at).toISOString(),
        state: step.state,
        message: step.message,
        value: last.value,
        baseline: last.baseline ?? null,
        threshold: rule.threshold,
        reason: last.reason,
        since: step.message === 'over' ? (before.alarmSince ?? at) : (step.alarmSince ?? at),
      });
  }
  return { row, status, reading: last, evaluatedTo: minutes.at(-1) ?? 0, changes };
}

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** What the message of a change says (lib/messages/events.ts). */
function detailsOf(
  { row }: Outcome,
  change: Outcome['changes'][number],
  movers: readonly Mover[] | null,
): object {
  const { name, metric, subject, compare, threshold } = row;
  const owner = { id: row.site_id ?? row.environment_id, name: row.owner_name };
  const of = row.goal_name ?? subjectText(subject);
  return {
    alert: { id: row.id, name },
    project: { id: row.project_id, name: row.project_name },
    ...(row.site_id === null ? { environment: owner } : { site: owner }),
    metric,
    ...(of !== undefined && { subject: of }),
    compare,
    threshold,
    forMinutes: row.for_minutes,
    value: change.value,
    baseline: change.baseline,
    unit: unitOf(row),
    since: new Date(change.since).toISOString(),
    path: viewOf(row),
    ...(movers !== null && movers.length > 0 && { changed: movers }),
  };
}

async function writeOutcomes(ports: Ports, minute: number, outcomes: readonly Outcome[]): Promise<Round> {
  const fired = outcomes.filter(({ changes }) => changes.some(({ message }) => message === 'firing'));
  const movers = await readMovers(
    ports,
    fired.map(({ row }) => ({ rule: ruleOfRow(row), key: row.key, zone: row.zone, at: minute })),
  );
  const written = outcomes.map((outcome) => {
    const { row, status, reading, evaluatedTo, changes } = outcome;
    const own = movers[fired.indexOf(outcome)] ?? null;
    return {
      project_id: row.project_id,
      id: row.id,
      revision: row.revision,
      was_evaluated_to: row.evaluated_to?.toISOString() ?? null,
      evaluated_to: isoOf(evaluatedTo),
      state: status.state,
      alarm_since: isoOf(status.alarmSince),
      calm_since: isoOf(status.calmSince),
      value: reading.value,
      baseline: reading.baseline ?? null,
      reason: reading.reason,
      changes: changes.map((change) => {
        const moved = change.message === 'firing' ? own : null;
        return {
          ...change,
          movers: moved,
          details: change.message === null ? null : detailsOf(outcome, change, moved),
        };
      }),
    };
  });
  const [row] = await ports.sql`
    with stepped as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as s(
        project_id uuid, id uuid, revision integer, was_evaluated_to timestamptz, evaluated_to timestamptz, state text,
        alarm_since timestamptz, calm_since timestamptz, value double precision, baseline double precision, reason text, changes jsonb)
    ), moved as (
      update alert_rules rule
      set state = stepped.state, state_since = case when rule.state = stepped.state then rule.state_since else stepped.evaluated_to end,
        alarm_since = stepped.alarm_since, calm_since = stepped.calm_since, value = stepped.value, baseline = stepped.baseline,
        reason = stepped.reason, evaluated_to = stepped.evaluated_to
      from stepped
      where rule.project_id = stepped.project_id and rule.id = stepped.id and rule.revision = stepped.revision
        and rule.evaluated_to is not distinct from stepped.was_evaluated_to
      returning rule.project_id, rule.id, rule.channels, stepped.changes
    ), change as materialized (
      select moved.project_id, moved.id, moved.channels, c.*
      from moved cross join lateral jsonb_to_recordset(moved.changes) as c(
        at timestamptz, state text, message text, value double precision, baseline double precision, threshold double precision,
        reason text, movers jsonb, details jsonb)
    ), noted as (
      insert into alert_changes (project_id, alert_id, at, state, message, value, baseline, threshold, reason, movers)
      select project_id, id, at, state, message, value, baseline, threshold, reason, movers from change
      returning 1
    )
    select (select count(*) from moved)::int as evaluated, (select count(*) from noted)::int as changes, (
      select coalesce(sum(send_message(project_id, case when cardinality(channels) = 0 then null else channels end,
        'alert.' || message, details, ${new Date(ports.now()).toISOString()}::timestamptz,
        'alert:' || id || ':' || to_char(at at time zone 'UTC', 'YYYYMMDDHH24MI') || ':' || message)), 0)
      from change where message is not null
    )::int as messages`;
  return { evaluated: row?.evaluated ?? 0, changes: row?.changes ?? 0 };
}
