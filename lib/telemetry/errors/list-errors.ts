import { bindCursor, openCursor } from '../../bound-cursor.ts';
import type { Fragment, Sql } from '../../db.ts';
import { refuseCursor } from '../../errors.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from '../query-telemetry.ts';
import { resolveRange } from '../telemetry-range.ts';
import {
  countedMeta,
  groupAsJson,
  type Intervals,
  inHours,
  intervalsOf,
  type ReadGroup,
  summedUpTo,
  toGroup,
} from './error-counts.ts';
import type { ErrorGroup, ErrorOrder, ErrorsMeta, ListErrors } from './error-schemas.ts';

/** When the first page was asked for, then rank and id of the last group. */
const POSITION = /^(\d{1,13})-(-?\d{1,19})-(-?\d{1,19})$/;
const MAX_INT64 = 2n ** 63n - 1n;

interface Item {
  read: ReadGroup;
  rank: string;
  key: string;
}

/**
 * Groups of errors that occurred in the range, by when they occurred last, first, or how often. Throws `NOT_FOUND`, `VALIDATION_ERROR`.
 * Reads sums alone: the groups of the environment by the primary key of `error_groups`, at most 1,001, and for each its hours of the
 * range by that of `error_hours`.
 */
export async function listErrors(
  ctx: TelemetryContext,
  { limit, cursor, ...asked }: ListErrors,
): Promise<Answer<ErrorGroup[], ErrorsMeta>> {
  const { service, release, state, order } = asked;
  const position = cursor === undefined ? undefined : readPosition(await openCursor(cursor, asked));
  // All pages use the range of the first page.
  const askedAt = position?.askedAt ?? ctx.now();
  const intervals = intervalsOf(resolveRange(asked, askedAt, '24h'));
  const { items, meta } = await queryTelemetry<Item>(
    ctx,
    asked,
    {
      instants: intervals.instants,
      signal: 'errors',
      filters: { service, release, state, order },
      foldedAt: summedUpTo(ctx.sql),
    },
    selectPage(ctx.sql, intervals, { ...asked, limit, position }),
  );
  const page = items.slice(0, limit);
  const last = page.at(-1);
  const more = items.length > limit && last !== undefined;
  return {
    data: page.map(({ read }) => toGroup(read, intervals)),
    meta: {
      ...meta,
      ...countedMeta(intervals),
      nextCursor: more ? await bindCursor(`${askedAt}-${last.rank}-${last.key}`, asked) : null,
    },
  };
}

interface Position {
  askedAt: number;
  rank: string;
  key: string;
}

function selectPage(
  sql: Sql,
  intervals: Intervals,
  {
    service = null,
    release = null,
    state = null,
    order,
    limit,
    position,
  }: Pick<ListErrors, 'order' | 'limit'> & {
    service?: string | null | undefined;
    release?: string | null | undefined;
    state?: string | null | undefined;
    position: Position | undefined;
  },
): Fragment {
  const { fromNano, toNano } = intervals.instants;
  return sql`
    with counted as (
      select g.environment_key, g.id, g.first_nano, g.last_nano, sum(h.occurrences) as occurrences
      from error_groups g
      join error_hours h on h.environment_key = g.environment_key and h.id = g.id
      where g.environment_key = (select key from environment) and g.last_nano >= ${fromNano}::bigint and g.first_nano < ${toNano}::bigint
        and (${service}::text is null or g.service = ${service})
        and (${state}::text is null or g.state = ${state} or ${state} = 'unsolved' and g.state in ('open', 'returned'))
        and (${release}::text is null or h.release = ${release}) and ${inHours(sql, intervals.instants)}
      group by g.environment_key, g.id
    ), ranked as (select environment_key, id, ${rankOf(sql, order)} as rank from counted), page as (
      select * from ranked
      where ${position?.rank ?? null}::bigint is null or (rank, id) < (${position?.rank ?? null}::bigint, ${position?.key ?? null}::bigint)
      order by rank desc, id desc limit ${limit + 1}
    )
    select rank::text as rank, grp.id::text as key, ${groupAsJson(sql, intervals, release ?? undefined)} as read
    from page join error_groups grp using (environment_key, id) order by page.rank desc, grp.id desc`;
}

function rankOf(sql: Sql, order: ErrorOrder): Fragment {
  switch (order) {
    case 'last-seen':
      return sql`last_nano`;
    case 'first-seen':
      return sql`first_nano`;
    case 'count':
      return sql`occurrences`;
  }
}

function readPosition(text: string): Position {
  const [, askedAt = '', rank = '', key = ''] = POSITION.exec(text) ?? refuseCursor();
  for (const digits of [rank, key]) {
    const value = BigInt(digits);
    if (value > MAX_INT64 || value < -MAX_INT64 - 1n) refuseCursor();
  }
  if (Number(askedAt) > MAX_ASKED_AT) refuseCursor();
  return { askedAt: Number(askedAt), rank, key };
}

/** The year 2200. */
const MAX_ASKED_AT = 7_258_118_400_000;
