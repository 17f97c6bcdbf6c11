/** Segments of a site: members keep filters, for themselves or for the project. Each verb is one statement and uses `site_segments_owner`. */

import { lesserRole, MANAGERS, memberSite, requireRole } from '../access.ts';
import { type AuditedContext, insertSiteAudit } from '../audit.ts';
import type { Context, ControlActor, MemberActor } from '../context.ts';
import { reach, refuseTaken, type Sql } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { listed } from '../listed.ts';
import { Role } from '../roles.ts';
import type { OneSite } from '../sites/schemas.ts';
import { inTurn, turnOfSite } from '../turns.ts';
import {
  type ChangeSegment,
  type CreateSegment,
  MAX_SEGMENTS,
  type OneSegment,
  type Segment,
} from './schemas.ts';

interface SegmentRow {
  id: string;
  name: string;
  filters: Segment['filters'];
  /** The person whose own it is. Null: it is shared. */
  user_id: string | null;
  created_at: Date;
}

const toSegment = ({ id, name, filters, user_id, created_at }: SegmentRow): Segment => ({
  id,
  name,
  filters,
  shared: user_id === null,
  createdAt: created_at.toISOString(),
});

/** Who may keep private segments: every member, but no key that only reads, which has the role of a viewer. */
const mayKeep = (actor: MemberActor): readonly Role[] =>
  actor.kind === 'apiToken' && actor.access === 'read' ? MANAGERS : Role.options;

/** The condition that the caller sees a segment: a shared one, or their own. */
const isSeen = (sql: Sql, actor: ControlActor) =>
  sql`(segment.user_id is null or segment.user_id = ${actor.userId}::uuid)`;

/** All segments of a site that the caller sees, oldest first. Throws `NOT_FOUND`. */
export async function listSegments(ctx: Context<ControlActor>, { siteId }: OneSite): Promise<Segment[]> {
  const { sql, actor } = ctx;
  const rows = await reach(sql`
    select segment.* from (${memberSite(ctx, siteId)}) target
    left join site_segments segment on segment.site_id = target.id and ${isSeen(sql, actor)}
    order by segment.created_at, segment.id
  `);
  return listed<SegmentRow>(rows, 'site').map(toSegment);
}

/**
 * Keeps filters under a name. Throws `NOT_FOUND`, `FORBIDDEN` for a viewer's shared segment, `CONFLICT` for a taken name or at the maximum
 * number.
 */
export async function createSegment(
  ctx: AuditedContext,
  { siteId, name, filters, shared }: CreateSegment,
): Promise<Segment> {
  const { sql, actor } = ctx;
  const owner = shared ? null : actor.userId;
  const may = shared ? MANAGERS : mayKeep(actor);
  const rows = await refuseTakenName(
    inTurn(
      sql,
      [turnOfSite(sql, siteId)],
      sql`
      with target as (${memberSite(ctx, siteId)}), made as (
        insert into site_segments (site_id, user_id, name, filters)
        select target.id, ${owner}::uuid, ${name}, ${JSON.stringify(filters)}::jsonb
        from target
        where target.role = any (${may}::text[]) and ${hasRoom(sql, owner)}
        returning *
      ), audited as (${insertSiteAudit(ctx, 'segment.create', sql`made`)})
      select target.role, made.* from target left join made on true
    `,
    ),
  );
  const row = requireRole<{ role: Role } & (SegmentRow | { id: null })>(rows, { what: 'site', may });
  if (row.id === null) throw tooMany();
  return toSegment(row);
}

/**
 * Changes a segment's name, its filters or whether it is shared; what was shared becomes the caller's own. Throws `NOT_FOUND`, `FORBIDDEN`
 * for a viewer if it is or becomes shared, `CONFLICT` for a taken name or at the maximum number.
 */
export async function changeSegment(
  ctx: AuditedContext,
  { siteId, segmentId, ...change }: ChangeSegment,
): Promise<Segment> {
  const { sql, actor } = ctx;
  const { name = null, filters, shared } = change;
  const owner = shared === true ? null : actor.userId;
  const moves = shared === undefined ? sql`false` : sql`found.user_id is distinct from ${owner}::uuid`;
  const rows = await refuseTakenName(
    inTurn(
      sql,
      [turnOfSite(sql, siteId)],
      sql`
      with target as (${memberSite(ctx, siteId)}), found as (${findSeen(ctx, segmentId)}), changed as (
        update site_segments segment
        set
          name = coalesce(${name}, segment.name),
          filters = coalesce(${filters === undefined ? null : JSON.stringify(filters)}::jsonb, segment.filters),
          user_id = case when ${moves} then ${owner}::uuid else segment.user_id end
        from found, target
        where segment.site_id = target.id and segment.id = found.id
          and ${mayChange(ctx, shared === true)} and (not ${moves} or ${hasRoom(sql, owner)})
        returning segment.*
      ), audited as (${insertSiteAudit(ctx, 'segment.change', sql`changed`)})
      select found.id as known, ${mayChange(ctx, shared === true)} as may, changed.*
      from target left join found on true left join changed on true
    `,
    ),
  );
  return toSegment(requireChanged<SegmentRow>(rows, tooMany));
}

/** Deletes a segment. Throws `NOT_FOUND`, or `FORBIDDEN` for a viewer if it is shared. */
export async function deleteSegment(ctx: AuditedContext, { siteId, segmentId }: OneSegment): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), found as (${findSeen(ctx, segmentId)}), deleted as (
      delete from site_segments segment using found, target
      where segment.site_id = target.id and segment.id = found.id and ${mayChange(ctx, false)}
      returning segment.id, segment.name
    ), audited as (${insertSiteAudit(ctx, 'segment.delete', ctx.sql`deleted`)})
    select found.id as known, ${mayChange(ctx, false)} as may, deleted.id
    from target left join found on true left join deleted on true
  `);
  requireChanged(rows, () => notFound('segment'));
}

/** Selects the segment of `target` if the caller sees it. */
const findSeen = ({ sql, actor }: AuditedContext, segmentId: string) => sql`
  select segment.* from target join site_segments segment on segment.site_id = target.id
  where segment.id = ${segmentId}::uuid and ${isSeen(sql, actor)}`;

/** The condition that the caller may change the segment `found`, which perhaps becomes shared. */
const mayChange = ({ sql, actor }: AuditedContext, becomesShared: boolean) => sql`
  (target.role = any (${MANAGERS}::text[])
    or (target.role = any (${mayKeep(actor)}::text[]) and found.user_id is not null and not ${becomesShared}::boolean))`;

/** The condition that the owner (null: the project) has fewer segments at the site `target` than the maximum. */
const hasRoom = (sql: Sql, owner: string | null) => sql`
  (select count(*) from site_segments s where s.site_id = target.id and s.user_id is not distinct from ${owner}::uuid) < ${MAX_SEGMENTS}`;

/** Returns the changed row. Throws `NOT_FOUND`, `FORBIDDEN`, or the error of `refused` if nothing was changed. */
function requireChanged<Row extends { id: string }>(
  rows: readonly object[],
  refused: () => DomainError,
): Row {
  const [row] = rows as ({ known: string | null; may: boolean } & (Row | { id: null }))[];
  if (row === undefined) throw notFound('site');
  if (row.known === null) throw notFound('segment');
  if (!row.may) throw lesserRole(MANAGERS);
  if (row.id === null) throw refused();
  return row;
}

const refuseTakenName = <T>(query: Promise<T>): Promise<T> =>
  refuseTaken(query, 'There already is a segment with this name. Choose another name.');

const tooMany = (): DomainError =>
  new DomainError(
    'CONFLICT',
    `A site holds at most ${MAX_SEGMENTS} shared segments, and as many of each person. Delete one.`,
  );
