/** Questions about a site: the arguments that all tools share, and their form for the reports (docs/mcp.md#arguments). */
import * as v from 'valibot';
import type { ChangesUnknown, ReportMeta } from '../../lib/analytics/answers/schemas.ts';
import { FILTER_DIMENSIONS } from '../../lib/analytics/reading/filters.ts';
import { MAX_CURSOR_LENGTH } from '../../lib/cursor.ts';
import { invalid } from '../../lib/http/issues.ts';
import { Limit } from '../../lib/paging.ts';
import { listSegments } from '../../lib/segments/segments.ts';
import {
  CALENDAR_PERIODS,
  calendarDates,
  datesBefore,
  isCalendarPeriod,
} from '../../lib/visits/calendar-periods.ts';
import { PERIODS } from '../../lib/visits/periods.ts';
import type { AgentContext } from './agent-context.ts';
import { ChoiceError } from './choice-error.ts';
import { type AskedSite, findSite, isId, zoneOf } from './find-opened.ts';

const MAX_NAME_LENGTH = 253;
const MAX_FILTERS = 20;
const MAX_FILTER_LENGTH = 2200;

/** A name or an id. */
export const NameOrId = () => v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_NAME_LENGTH)));

const DateText = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(10, 'must be a date like 2026-11-21; `break_down_visits` by `hour` has the hours of a day'),
  ),
);

export const siteFields = {
  site: NameOrId(),
  period: v.optional(v.picklist([...PERIODS, ...CALENDAR_PERIODS])),
  from: DateText,
  to: DateText,
};

export const filterFields = {
  filters: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_FILTER_LENGTH))),
      v.maxLength(MAX_FILTERS),
    ),
  ),
  segment: NameOrId(),
};

/** Where an answer repeats what members and visitors wrote. */
export const siteUntrusted = ['scope.filters', 'scope.segment', 'scope.unmatched'];

export const pagingFields = {
  limit: Limit(),
  cursor: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_CURSOR_LENGTH))),
};

export const TIER = 'tier';
/** Begins the name of a filter by a property. */
export const PROPERTY = 'prop_';
const FILTER = /^(prop_.+?|[a-z_]+) (is not|is|not|contains) (.+)$/s;
const SIGNS: Readonly<Record<string, string>> = { is: '', not: '!', 'is not': '!', contains: '~' };

const FILTER_RULE =
  'must be like `country is PT|ES`, `page contains /docs` or `source is not Google`, by tier, prop_<key>, ' +
  FILTER_DIMENSIONS.join(', ');

/** The parts of a filter's text; all empty if it is none. */
export function partsOf(filter: string): { name: string; operator: string; values: string } {
  const [, name = '', operator = '', values = ''] = FILTER.exec(filter) ?? [];
  return { name, operator, values };
}

const TIERS = ['1', '2', '3'];

/** What to ask instead of several tiers, of which a report takes one. */
function oneTier(operator: string, values: string): string {
  const named = TIERS.filter((tier) => values.includes(tier));
  const meant = operator === 'is' ? named : TIERS.filter((tier) => named.length > 0 && !named.includes(tier));
  const calls = meant.map((tier) => `\`tier is ${tier}\``);
  if (meant.length === 0) return ONE_TIER;
  const rule = `must be one tier: ask ${calls.join(' and ')}`;
  return meant.length === 1 ? rule : `${rule}, ${ADD_UP}`;
}

const ONE_TIER = 'must be one tier, like `tier is 3`: 1 anonymous counts, 2 anonymous sessions, 3 consented';
const ADD_UP =
  'and add counts up, as no visit or visitor is in two. Without this filter `summarize_site` has visits of each tier in `totals.tiers`, and goals have `exact` figures of tiers 2 and 3 together';

/** Filters in the form of the reports' inputs: `country is PT|ES` becomes `{country: 'PT|ES'}`. Throws `VALIDATION_ERROR`. */
export function readFilters(filters: readonly string[]): Record<string, string | number> {
  const read: Record<string, string | number> = Object.create(null);
  filters.forEach((filter, index) => {
    const path = `filters.${index}`;
    const { name, operator, values } = partsOf(filter);
    const isKnown = name.startsWith(PROPERTY) || name === TIER || FILTER_DIMENSIONS.some((of) => of === name);
    if (!isKnown) throw invalid([{ path, message: FILTER_RULE }]);
    const key = name === TIER ? 'privacy_tier' : name;
    if (key in read)
      throw invalid([{ path, message: 'must not name a dimension twice: put values into one' }]);
    if (name !== TIER)
      read[key] = `${SIGNS[operator]}${operator === 'is' ? values.replace(/^[!~]/, '\\$&') : values}`;
    else if (operator === 'is' && /^[123]$/.test(values)) read[key] = Number(values);
    else throw invalid([{ path, message: oneTier(operator, values) }]);
  });
  return { ...read };
}

export interface SiteQuestion {
  period?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  filters?: readonly string[] | undefined;
  /** A name or an id; see `findSegment`. */
  segment?: string | undefined;
}

/** The range and the filters as fields of a report's input. */
export const fieldsOf = (siteId: string, { period, from, to, filters, segment }: SiteQuestion) => ({
  siteId,
  ...(segment !== undefined && { segment }),
  ...(period !== undefined && { period }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(filters !== undefined && filters.length > 0 && { filters: readFilters(filters) }),
});

/**
 * The site that a call means; the call's range, filters and segment for a report's input, and for the next call (`around`); and the range that
 * it is compared with (`before`).
 */
export async function askedOf(ctx: AgentContext, question: SiteQuestion & { site?: string | undefined }) {
  const site = await findSite(ctx, question.site);
  const { segment } = question;
  const id = segment === undefined || isId(segment) ? segment : await findSegment(ctx, site, segment);
  const dates = await datesAsked(ctx, site, question);
  return {
    site,
    fields: fieldsOf(site.id, { ...question, ...dates?.asked, segment: id?.toLowerCase() }),
    ...{ before: dates?.before ?? ('previous' as const) },
    ...{
      around: {
        site: site.id,
        ...rangeOf(question),
        ...keptBy(ctx, { ...question, segment: id?.toLowerCase() }),
      },
    },
  };
}

/** Throws `VALIDATION_ERROR` if a calendar period comes with the ends of a range. */
export function requireNoEnds({ from, to }: { from?: unknown; to?: unknown }): void {
  if (from !== undefined || to !== undefined)
    throw invalid([{ path: 'period', message: 'must not come with `from` and `to`' }]);
}

/** A calendar period as dates, and those that it is compared with; undefined for other ranges. */
async function datesAsked(ctx: AgentContext, site: AskedSite, { period, ...ends }: SiteQuestion) {
  if (!isCalendarPeriod(period)) return undefined;
  requireNoEnds(ends);
  const dates = calendarDates(period, ctx.now(), await zoneOf(ctx, site));
  return { asked: { period: undefined, ...dates }, before: datesBefore(period, dates) };
}

/** The id of a segment by its name. Throws `NOT_FOUND` with those that the person sees. */
async function findSegment(ctx: AgentContext, { id }: AskedSite, name: string): Promise<string> {
  const segments = await listSegments(ctx, { siteId: id });
  const named = segments.filter((segment) => segment.name.toLowerCase() === name.toLowerCase());
  const [only] = named;
  if (only !== undefined && named.length === 1) return only.id;
  throw new ChoiceError(
    'NOT_FOUND',
    segments.length === 0
      ? 'This site has no segment that you see: say what you mean by `filters`.'
      : 'You see no such segment, or several of this name. Use an `id` from `choices`.',
    { choices: segments.map(({ id: of, name: called }) => ({ id: of, name: called })) },
  );
}

/** The range as arguments of a next call. */
const rangeOf = ({ period, from, to }: SiteQuestion) => ({
  ...(period !== undefined && { period }),
  ...(from !== undefined && { from, to }),
});

/** Filters as the call writes them, and the segment by its id. */
const keptBy = (ctx: AgentContext, { filters = [], segment }: SiteQuestion) => ({
  ...(filters.length > 0 && { filters: ctx.filters ?? filters }),
  ...(segment !== undefined && { segment }),
});

/** Why nothing was observed in a range, and what could be asked for instead. */
function whyNothing({
  range,
  since,
  now,
}: {
  range: { from: string; to: string };
  since: string | null;
  now: string;
}) {
  if (range.from > now)
    return 'This range lies in the future: nothing is known of it. Ask for days up to today.';
  if (since === null)
    return 'This site has collected nothing yet. The zeros do not mean that there was no traffic.';
  if (range.to <= since)
    return `Collection began on ${since.slice(0, 10)}, after this range, so nothing is known of it. Ask from that day on.`;
  return 'Nothing was observed in this range. The zeros do not mean that there was no traffic.';
}

/** Why changes are null. */
export const UNKNOWN_CHANGES: Record<ChangesUnknown, string> = {
  notObserved: 'Nothing was observed in this range, so what changed is not known: changes are null.',
  comparedNotObserved:
    'Nothing was observed in the range before, so what changed is not known: changes are null.',
  comparedPartly:
    'Collection began within the range before, so only a part of it was observed and what changed is not known: changes are null.',
  comparedWithheld: 'The range before has too few visits to be shown: changes are null.',
};

/** Which filters name values that no visit has. */
function unmatchedIn({ unmatched = [], filters, segment }: ReportMeta['scope']): string[] {
  const byFilter = Map.groupBy(unmatched, ({ filter }) => filter);
  const lines = [...byFilter].map(([name, values]) => {
    const asked = filters[name] ?? segment?.filters[name];
    const all = typeof asked === 'object' ? asked.values.length : values.length;
    return values.length >= all
      ? `No visit of this site that is kept has a value that the filter \`${name}\` names: what it keeps or leaves out means no more than that.`
      : `No visit of this site that is kept has ${values.length} of the ${all} values of the filter \`${name}\`: the answer is about the others.`;
  });
  return lines.length === 0
    ? []
    : [...lines, '`scope.unmatched` has these values with the nearest that there are.'];
}

/** What filters by what a visit did make of conversions that belong to no visit. */
function ofNoVisit({ goal, page }: ReportMeta['scope']['filters']): (string | false)[] {
  const isNot = (filter: unknown): boolean =>
    typeof filter === 'object' && filter !== null && (filter as { operator?: unknown }).operator === 'not';
  return [
    goal !== undefined &&
      !isNot(goal) &&
      'The filter `goal` leaves out conversions of no visit (tier 1, servers).',
    (isNot(goal) || isNot(page)) &&
      'What belongs to no visit (tier 1, servers) did nothing before: filters with `not` keep all of it. Of goals `exact` alone compares.',
  ];
}

type Meta = ReportMeta & { approximate?: unknown };

const isOfBins = (approximate: unknown): boolean =>
  typeof approximate === 'object' && !Array.isArray(approximate);

/** What makes the figures of an answer special, in our own words. `hasVisitors`: it counts visitors, too. */
export function notesOf(
  { scope, range, coverage, freshness, approximate }: Meta,
  { hasVisitors = true } = {},
): (string | false)[] {
  const { observed, since, tiers, other, imported } = coverage;
  const some = (counts: object): boolean => Object.values(counts).some((count) => count > 0);
  return [
    ...unmatchedIn(scope),
    !observed && whyNothing({ range, since, now: freshness.evaluatedAt }),
    observed && since !== null && since > range.from && `Nothing was collected before ${since.slice(0, 10)}.`,
    range.from <= freshness.evaluatedAt &&
      freshness.evaluatedAt < range.to &&
      'The present day or hour is not over.',
    coverage.changesUnknown !== undefined && UNKNOWN_CHANGES[coverage.changesUnknown],
    coverage.measured === 0 &&
      observed &&
      'No consented visit began in the range: `bounceRate` and `avgDuration` are not known.',
    ...ofNoVisit(scope.filters),
    hasVisitors &&
      tiers.includes(1) &&
      scope.tiers === undefined &&
      scope.filters.goal === undefined &&
      'Tier 1 has no visitors and no durations.',
    imported.some(({ counted }) => counted) &&
      'Some days were imported from another tool, with its own rules of counting: `coverage.imported`.',
    imported.some(({ counted }) => !counted) &&
      'Imported days of the range are not in these figures: they have no single visits.',
    some(other) &&
      'Some values are counted together as `(other)`: a day brought more new ones than a site takes.',
    isOfBins(approximate) && 'Values may be off by 1 percent; `measured` is exact.',
  ];
}
