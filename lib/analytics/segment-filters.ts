/** Segments in reports: a stored segment's filters have to hold beside those of the request. */
import * as v from 'valibot';
import { memberSite } from '../access.ts';
import type { ReportContext } from '../context.ts';
import { reachToRead } from '../db.ts';
import { DomainError, type ErrorDetail, notFound } from '../errors.ts';
import type { Tier } from './answers/schemas.ts';
import type { Filter } from './reading/filters.ts';
import { filtersOf } from './reading/report-inputs.ts';
import type { Within } from './reading/report-meta.ts';

/** A segment as it is stored. */
export interface FoundSegment {
  id: string;
  name: string;
  filters: object;
}

interface Asked {
  siteId: string;
  /** A segment's id. */
  segment?: string | undefined;
  tier?: Tier | undefined;
  filters?: readonly Filter[] | undefined;
}

type Applied<Input> = Omit<Input, 'segment'> & { within?: Within };

/**
 * The segment that a request names; undefined if it names none. Throws `NOT_FOUND` for a segment that the caller doesn't see, and
 * `VALIDATION_ERROR` for shares, which show no segments. One look-up by the primary key.
 */
export async function findSegment(
  ctx: ReportContext,
  { siteId, segment }: Asked,
): Promise<FoundSegment | undefined> {
  if (segment === undefined) return undefined;
  const { sql, actor } = ctx;
  if (actor.kind === 'share') throw refused('is no parameter of a share');
  const person = actor.kind === 'operator' ? null : actor.userId;
  const rows = await reachToRead(sql`
    select s.id, s.name, s.filters
    from (${memberSite(ctx, siteId)}) target
    join site_segments s on s.site_id = target.id and s.id = ${segment}::uuid
    where s.user_id is null or s.user_id = ${person}::uuid or ${person}::uuid is null
  `);
  const [row] = rows as FoundSegment[];
  if (row === undefined) throw notFound('segment');
  return row;
}

/**
 * The input of a report with the filters of a segment beside its own. `Filters` is the report's own schema of filters. Throws
 * `VALIDATION_ERROR` if the report doesn't take a filter of the segment, or if the two name different tiers.
 */
export function applySegment<Input extends Asked>(
  Filters: v.GenericSchema | undefined,
  { segment: _, ...input }: Input,
  found: FoundSegment | undefined,
): Applied<Input> {
  if (found === undefined) return input;
  const { id, name } = found;
  const result = v.safeParse(Filters ?? v.never(), found.filters);
  if (!result.success) throw refused('has a filter that this report doesn’t take');
  const own = filtersOf({ filters: result.output as never });
  if (own.tier !== undefined && input.tier !== undefined && own.tier !== input.tier)
    throw refused('has another `privacy_tier` than `filter_privacy_tier`');
  const tier = input.tier ?? own.tier;
  return {
    ...input,
    tier,
    filters: [...(input.filters ?? []), ...own.filters],
    within: { id, name, ...own, beside: { tier: input.tier, filters: input.filters } },
  };
}

/** The input of a report with the filters of the segment that it names. Throws the errors of `findSegment` and `applySegment`. */
export const withSegment = async <Input extends Asked>(
  ctx: ReportContext,
  Filters: v.GenericSchema | undefined,
  input: Input,
): Promise<Applied<Input>> => applySegment(Filters, input, await findSegment(ctx, input));

function refused(message: string): DomainError {
  const details: ErrorDetail[] = [{ path: 'segment', message }];
  return new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', { details });
}
