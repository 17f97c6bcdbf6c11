/**
 * Alerts of a site or an environment: members see them, owners and admins change them. Each verb is one statement, and changing a rule is
 * two. They use `alert_rules_site`, `alert_rules_environment` and primary keys; an owner has at most 50 alerts.
 */
import { lesserRole, MANAGERS, requireWritten } from '../access.ts';
import { findSegment } from '../analytics/segment-filters.ts';
import type { AuditedContext } from '../audit.ts';
import { bindCursor, openCursor } from '../bound-cursor.ts';
import type { Context, MemberActor } from '../context.ts';
import { type Fragment, reach, reachToRead } from '../db.ts';
import { DomainError, notFound, refuseCursor } from '../errors.ts';
import { listed } from '../listed.ts';
import type { Role } from '../roles.ts';
import { inTurn } from '../turns.ts';
import {
  insertOwnerAudit,
  isOwners,
  isSite,
  type Owner,
  ownerName,
  ownerOf,
  ownerTarget,
  turnOfOwner,
} from './alert-owner.ts';
import { type AlertRow, type ChangeRow, ruleOfRow, toAlert, toChange } from './alert-rows.ts';
import type { AlertChange } from './alert-schemas.ts';
import {
  type AlertHistory,
  type ChangeEnvironmentAlert,
  type ChangeSiteAlert,
  type CreateEnvironmentAlert,
  type CreateSiteAlert,
  type EnvironmentAlert,
  MAX_ALERTS,
  type OneEnvironmentAlert,
  type OneSiteAlert,
  type SiteAlert,
} from './alert-schemas.ts';
import { readRule, readSubject, refuseRule, requireRule } from './read-rule.ts';

type AnyAlert<Input> = Input extends { siteId: string } ? SiteAlert : EnvironmentAlert;
type OneAlert = OneSiteAlert | OneEnvironmentAlert;
type CreateAlert = CreateSiteAlert | CreateEnvironmentAlert;
type ChangeAlert = ChangeSiteAlert | ChangeEnvironmentAlert;
type ReadContext = Context<MemberActor>;

/** All alerts of a site or an environment, oldest first. Throws `NOT_FOUND`. */
export async function listAlerts<Input extends Owner>(
  ctx: ReadContext,
  owner: Input,
): Promise<AnyAlert<Input>[]> {
  const rows = await reachToRead(ctx.sql`
    select rule.* from (${ownerTarget(ctx, owner)}) target
    left join alert_rules rule on ${isOwners(ctx, owner)}
    order by rule.created_at, rule.id`);
  return listed<AlertRow>(rows, ownerName(owner)).map((row) => toAlert<AnyAlert<Input>>(row));
}

/** One alert. Throws `NOT_FOUND`. */
export async function getAlert<Input extends OneAlert>(
  ctx: ReadContext,
  input: Input,
): Promise<AnyAlert<Input>> {
  return toAlert<AnyAlert<Input>>(await findRow(ctx, input));
}

async function findRow(ctx: ReadContext, input: OneAlert): Promise<AlertRow & { role: Role }> {
  const owner = ownerOf(input);
  const rows = await reachToRead(ctx.sql`
    select target.role, rule.* from (${ownerTarget(ctx, owner)}) target
    left join alert_rules rule on ${isOwners(ctx, owner)} and rule.id = ${input.alertId}::uuid`);
  const [row] = rows as ((AlertRow & { role: Role }) | { id: null })[];
  if (row === undefined) throw notFound(ownerName(owner));
  if (row.id === null) throw notFound('alert');
  return row;
}

/**
 * Makes an alert, which is evaluated from the next minute on; a site's minutes are counted from now on, and then back. Throws `NOT_FOUND`,
 * `FORBIDDEN` for viewers, `CONFLICT` at the maximum number, and `VALIDATION_ERROR` for a rule that can't be evaluated, an unknown goal,
 * segment or channel.
 */
export async function createAlert<Input extends CreateAlert>(
  ctx: AuditedContext,
  input: Input,
): Promise<AnyAlert<Input>> {
  const { sql } = ctx;
  const owner = ownerOf(input);
  requireMuted(input.mutedUntil, ctx.now());
  const rule = readRule(
    input,
    'segment' in input ? await findSegment(ctx, { siteId: input.siteId, segment: input.segment }) : undefined,
  );
  const { name, channels, mutedUntil } = input;
  const { metric, subject, compare, threshold, forMinutes } = rule;
  const rows = await inTurn(
    sql,
    [turnOfOwner(ctx, owner)],
    sql`
    with target as (${ownerTarget(ctx, owner)}), known as (
      select ${knowsGoal(ctx, subject.goalId)} as goal, ${knowsChannels(ctx, channels)} as channels,
        (select count(*) from alert_rules rule where ${isOwners(ctx, owner)}) as alerts
      from target
    ), made as (
      insert into alert_rules (project_id, site_id, environment_id, name, metric, subject, compare, threshold, for_minutes, channels,
        muted_until, created_at, state_since)
      select target.project_id, target.site_id, target.environment_id, ${name}, ${metric}, ${JSON.stringify(subject)}::jsonb, ${compare},
        ${threshold}::double precision, ${forMinutes}::integer, ${channels}::uuid[], ${mutedUntil}::timestamptz,
        ${instant(ctx)}::timestamptz, ${instant(ctx)}::timestamptz
      from target cross join known
      where target.role = any (${MANAGERS}::text[]) and known.goal and known.channels and known.alerts < ${MAX_ALERTS}
      returning *
    ), audited as (${insertOwnerAudit(ctx, owner, 'alert.create', sql`made`)})
    select target.role, known.goal as knows_goal, known.channels as knows_channels, made.*, ${watchSite(ctx, owner)} as watched
    from target cross join known left join made on true`,
  );
  const row = requireWritten<AlertRow>(rows, {
    what: ownerName(owner),
    refused: () => unknownParts(rows) ?? tooMany(owner),
  });
  return toAlert<AnyAlert<Input>>(row);
}

/**
 * Changes an alert; what is left out stays. Its state follows in the next minute. Throws `NOT_FOUND`, `FORBIDDEN` for viewers,
 * `VALIDATION_ERROR` as `createAlert`, and `CONFLICT` if somebody else changed it at the same moment.
 */
export async function changeAlert<Input extends ChangeAlert>(
  ctx: AuditedContext,
  input: Input,
): Promise<AnyAlert<Input>> {
  const { sql } = ctx;
  const owner = ownerOf(input);
  requireMuted(input.mutedUntil, ctx.now());
  const old = await findRow(ctx, input);
  if (!MANAGERS.includes(old.role)) throw lesserRole(MANAGERS);
  const was = ruleOfRow(old);
  const { metric, subject, compare, threshold, forMinutes } = requireRule({
    metric: input.metric ?? was.metric,
    subject: readSubject({ ...was.subject, ...subjectOf(input) }),
    compare: input.compare ?? was.compare,
    threshold: input.threshold ?? was.threshold,
    forMinutes: input.forMinutes ?? was.forMinutes,
  });
  const channels = input.channels ?? old.channels;
  const mutedUntil = input.mutedUntil === undefined ? old.muted_until : input.mutedUntil;
  const rows = await reach(sql`
    with target as (${ownerTarget(ctx, owner)}), known as (
      select ${knowsGoal(ctx, subject.goalId)} as goal,
        ${input.channels === undefined ? sql`true` : knowsChannels(ctx, channels)} as channels
      from target
    ), changed as (
      update alert_rules rule
      set name = ${input.name ?? old.name}, metric = ${metric}, subject = ${JSON.stringify(subject)}::jsonb, compare = ${compare},
        threshold = ${threshold}::double precision, for_minutes = ${forMinutes}::integer, channels = ${channels}::uuid[],
        muted_until = ${mutedUntil}::timestamptz, revision = rule.revision + 1
      from target cross join known
      where ${isOwners(ctx, owner)} and rule.id = ${input.alertId}::uuid and rule.revision = ${old.revision}
        and target.role = any (${MANAGERS}::text[]) and known.goal and known.channels
      returning rule.*
    ), audited as (${insertOwnerAudit(ctx, owner, 'alert.change', sql`changed`)})
    select target.role, known.goal as knows_goal, known.channels as knows_channels, changed.*
    from target cross join known left join changed on true`);
  const row = requireWritten<AlertRow>(rows, {
    what: ownerName(owner),
    refused: () => unknownParts(rows) ?? changedMeanwhile(),
  });
  return toAlert<AnyAlert<Input>>(row);
}

/** Deletes an alert and its history. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. */
export async function deleteAlert(ctx: AuditedContext, input: OneAlert): Promise<void> {
  const { sql } = ctx;
  const owner = ownerOf(input);
  const rows = await reach(sql`
    with target as (${ownerTarget(ctx, owner)}), deleted as (
      delete from alert_rules rule using target
      where ${isOwners(ctx, owner)} and rule.id = ${input.alertId}::uuid and target.role = any (${MANAGERS}::text[])
      returning rule.project_id, rule.id, rule.name
    ), audited as (${insertOwnerAudit(ctx, owner, 'alert.delete', sql`deleted`)})
    select target.role, deleted.id from target left join deleted on true`);
  requireWritten(rows, { what: ownerName(owner), refused: () => notFound('alert') });
}

export interface HistoryPage {
  data: AlertChange[];
  meta: { nextCursor: string | null };
}

/** The changes of an alert's state in the last 90 days, newest first. Throws `NOT_FOUND`. By the primary key of `alert_changes`. */
export async function listAlertHistory(
  ctx: ReadContext,
  { limit, cursor, ...input }: AlertHistory,
): Promise<HistoryPage> {
  const owner = ownerOf(input);
  const position = cursor === undefined ? null : await openCursor(cursor, input);
  if (position !== null && !/^\d{13}$/.test(position)) refuseCursor();
  const before = position === null ? null : new Date(Number(position)).toISOString();
  const rows = await reachToRead(ctx.sql`
    select rule.id, change.* from (${ownerTarget(ctx, owner)}) target
    left join alert_rules rule on ${isOwners(ctx, owner)} and rule.id = ${input.alertId}::uuid
    left join lateral (
      select * from alert_changes
      where alert_changes.project_id = rule.project_id and alert_id = rule.id and (${before}::timestamptz is null or at < ${before}::timestamptz)
      order by at desc limit ${limit + 1}
    ) change on true
    order by change.at desc`);
  const [first] = rows as { id: string | null }[];
  if (first === undefined) throw notFound(ownerName(owner));
  if (first.id === null) throw notFound('alert');
  const changes = (rows as (ChangeRow | { at: null })[]).flatMap((row) => (row.at === null ? [] : [row]));
  const page = changes.slice(0, limit);
  const last = page.at(-1);
  const more = changes.length > limit && last !== undefined;
  return {
    data: page.map(toChange),
    meta: { nextCursor: more ? await bindCursor(String(last.at.getTime()), input) : null },
  };
}

const instant = ({ now }: ReadContext): string => new Date(now()).toISOString();

/** Begins to count the site's minutes, if the alert was made. */
const watchSite = (ctx: ReadContext, owner: Owner): Fragment =>
  isSite(owner)
    ? ctx.sql`case when made.site_id is not null then watch_site(made.site_id, ${instant(ctx)}::timestamptz)::text end`
    : ctx.sql`null`;

const subjectOf = ({
  name: _,
  metric: __,
  compare: ___,
  threshold: ____,
  forMinutes: _____,
  channels: ______,
  mutedUntil: _______,
  ...rest
}: ChangeAlert): Record<string, unknown> => {
  const { siteId, projectId, environmentId, alertId, ...subject } = rest as Record<string, unknown>;
  return subject;
};

function requireMuted(mutedUntil: string | null | undefined, now: number): void {
  if (typeof mutedUntil !== 'string' || Date.parse(mutedUntil) > now) return;
  throw refuseRule([{ path: 'mutedUntil', message: 'must be in the future' }]);
}

/** The condition that the goal is the site's `target.site_id`. */
const knowsGoal = ({ sql }: ReadContext, goalId: string | undefined): Fragment =>
  goalId === undefined
    ? sql`true`
    : sql`exists (select from site_goals where site_goals.site_id = target.site_id and site_goals.id = ${goalId}::uuid)`;

/** The condition that all channels are the project's. */
const knowsChannels = ({ sql }: ReadContext, channels: readonly string[]): Fragment => sql`
  (select count(*) from message_channels channel
    where channel.project_id = target.project_id and channel.id = any (${channels}::uuid[])) = cardinality(${channels}::uuid[])`;

function unknownParts(rows: readonly object[]): DomainError | undefined {
  const [row] = rows as { knows_goal?: boolean; knows_channels?: boolean }[];
  const faults = [
    ...(row?.knows_goal === false ? [{ path: 'goalId', message: 'must be a goal of the site' }] : []),
    ...(row?.knows_channels === false
      ? [{ path: 'channels', message: 'must be channels of the project' }]
      : []),
  ];
  return faults.length > 0 ? refuseRule(faults) : undefined;
}

const tooMany = (owner: Owner): DomainError =>
  new DomainError('CONFLICT', `A ${ownerName(owner)} has at most ${MAX_ALERTS} alerts. Delete one.`);

const changedMeanwhile = (): DomainError =>
  new DomainError('CONFLICT', 'Somebody else changed the alert at the same moment. Read it and try again.');
