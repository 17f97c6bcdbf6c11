/** Rows of `alert_rules` and `alert_changes` as the API has them. */
import type { NoDataReason } from './alert-condition.ts';
import { type Compare, unitOf } from './alert-fields.ts';
import type { AlertChange, EnvironmentAlert, SiteAlert } from './alert-schemas.ts';
import type { AlertState } from './alert-state.ts';
import type { Rule, Subject } from './alert-subject.ts';

export interface AlertRow {
  id: string;
  name: string;
  metric: Rule['metric'];
  subject: Subject;
  compare: Compare;
  threshold: number;
  for_minutes: number;
  channels: string[];
  muted_until: Date | null;
  created_at: Date;
  revision: number;
  state: AlertState;
  state_since: Date;
  alarm_since: Date | null;
  calm_since: Date | null;
  value: number | null;
  baseline: number | null;
  reason: NoDataReason | null;
  evaluated_to: Date | null;
}

export interface ChangeRow {
  at: Date;
  state: AlertState;
  message: AlertChange['message'];
  value: number | null;
  baseline: number | null;
  threshold: number;
  reason: NoDataReason | null;
  movers: AlertChange['changed'] | null;
}

const instant = (date: Date | null): string | null => date?.toISOString() ?? null;

export const ruleOfRow = ({ metric, subject, compare, threshold, for_minutes }: AlertRow): Rule => ({
  metric,
  subject,
  compare,
  threshold,
  forMinutes: for_minutes,
});

/** The alert of a site or of an environment, whichever the row is of. */
export const toAlert = <Alert extends SiteAlert | EnvironmentAlert>(row: AlertRow): Alert =>
  ({
    id: row.id,
    name: row.name,
    metric: row.metric,
    ...row.subject,
    compare: row.compare,
    threshold: row.threshold,
    forMinutes: row.for_minutes,
    channels: row.channels,
    mutedUntil: instant(row.muted_until),
    state: row.state,
    since: row.state_since.toISOString(),
    alarmSince: instant(row.alarm_since),
    value: row.value,
    baseline: row.baseline,
    unit: unitOf(row),
    reason: row.reason,
    evaluatedTo: instant(row.evaluated_to),
    createdAt: row.created_at.toISOString(),
  }) as Alert;

export const toChange = ({ at, movers, ...row }: ChangeRow): AlertChange => ({
  at: at.toISOString(),
  state: row.state,
  message: row.message,
  value: row.value,
  baseline: row.baseline,
  threshold: row.threshold,
  reason: row.reason,
  changed: movers ?? [],
});
