/** Reports of a site for tools: the verbs and the checked inputs of REST (docs/reports.md), page by page in the size that fits. */

import type { ReportMeta } from '../../lib/analytics/answers/schemas.ts';
import { type ReportDefinition, reportNamed } from '../../lib/analytics/reports.ts';
import type { CursorScope } from '../../lib/cursor.ts';
import { dateIn } from '../../lib/dates.ts';
import { check } from '../../lib/http/issues.ts';
import type { AgentContext } from './agent-context.ts';
import type { AskedSite } from './find-opened.ts';
import { clockIn, datesOf } from './local-dates.ts';
import { notesOf } from './site-question.ts';
import {
  type AnswerParts,
  charsFor,
  inSeconds,
  type NextCall,
  tellRows,
  withoutRecent,
} from './tool-answer.ts';

/** Whether both ends of a range are the beginning of a day at the site. */
const isOfDays = ({ from, to, timezone }: ReportMeta['range']): boolean =>
  [from, to].every((end) => clockIn(Date.parse(end), timezone).slice(11, 19) === '00:00:00');

/** A range as `from` and `to` of a call take it: days, unless it is of hours. */
export const rangeAsAsked = (range: ReportMeta['range']): object =>
  isOfDays(range) ? { ...datesOf(range), timezone: range.timezone } : (inSeconds(range) ?? range);

/**
 * What an answer says of the range and of the site: days as `from` and `to` of a call take them. `evaluatedAt` is what a clock at the site
 * shows. `isWhole`: with the tiers that were seen, and what was refused.
 */
export function aboutSite(
  { scope, range, coverage, freshness }: ReportMeta,
  { domain }: AskedSite,
  { isWhole = false } = {},
) {
  const { filters, siteId, ...asked } = scope;
  const { observed, since, tiers, measured, vitalsFrom, dropped, other, imported } = coverage;
  const others = someOf(other);
  return {
    scope: {
      ...(domain === undefined ? { siteId } : { site: domain }),
      ...(Object.keys(filters).length > 0 && { filters }),
      ...asked,
    },
    range: rangeAsAsked(range),
    coverage: {
      ...{ observed, since },
      ...(isWhole && { tiers, dropped: someOf(dropped) }),
      ...(measured !== undefined && { measured }),
      ...(vitalsFrom !== undefined && { vitalsFrom }),
      ...(Object.keys(others).length > 0 && { other: others }),
      ...(imported.length > 0 && { imported }),
    },
    freshness: {
      ...withoutRecent(freshness),
      evaluatedAt: clockIn(Date.parse(freshness.evaluatedAt), range.timezone),
    },
  };
}

export interface Point {
  time: string;
  visits: number;
  pageviews: number;
  /** The hour, day, week or month isn't whole in the range, or not over. */
  partial?: true | undefined;
}

/** The points of a series that have traffic, each with its date at the site; hours with the site's clock. */
export const pointsOf = <Of extends Point>(
  points: readonly Of[],
  { range: { timezone } }: ReportMeta,
  interval: string | undefined,
): Of[] =>
  points
    .filter(({ visits, pageviews }) => visits > 0 || pageviews > 0)
    .map((point) => ({ ...point, time: momentAt(point.time, { timezone, interval }) }));

/** The start of a bucket at the site: a date, or of hours what a clock shows. */
export const momentAt = (
  time: string,
  { timezone, interval }: { timezone: string; interval: string | undefined },
): string => (interval === 'hour' ? clockIn : dateIn)(Date.parse(time), timezone);

export const NO_ZEROS = 'Times without traffic are left out.';

/** The counts that aren't 0. */
const someOf = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/** How a report reads its rows. */
export type OwnReport = Pick<ReportDefinition, 'input' | 'isList' | 'read'>;

interface Asked {
  tool: string;
  /** With `own`, all that says which rows these are: a cursor belongs to it. */
  report: string;
  /** A report of tools alone. Absent: the one that REST names `report`. */
  own?: OwnReport | undefined;
  /** The fields of the report's own input, without paging. */
  fields: object;
  limit: number;
  cursor?: string | undefined;
  /** The tiers whose visits can have a row. Absent: those that the report names. */
  tiers?: (1 | 2 | 3)[] | undefined;
}

interface Week {
  week: string;
  partial?: true;
}

const WEEK_MS = 7 * 86_400_000;

/**
 * Weeks by their dates at the site, where REST has instants. `open` is what REST calls `partial`: the last week of the range isn't whole. `cut`:
 * the row's own week began before the range or before collection. Weeks that were over before collection are no rows: nobody could come.
 */
const weeksOf = (rows: readonly Week[], { range, coverage: { since } }: ReportMeta) =>
  rows
    .filter(({ week }) => since === null || Date.parse(week) + WEEK_MS > Date.parse(since))
    .map(({ partial, ...row }) => ({
      ...row,
      week: dateIn(Date.parse(row.week), range.timezone),
      ...((row.week < range.from || (since !== null && row.week < since)) && { cut: true }),
      ...(partial && { open: true }),
    }));

/** A part of a report's rows; see `reportNamed`. Throws what the report throws. */
export async function readRows(
  ctx: AgentContext,
  { tool, report, own, fields, limit, cursor, tiers }: Asked,
) {
  const { input, isList, read } = own ?? reportNamed(report);
  const written = JSON.stringify({ ...fields, ...ctx.written });
  const scope: CursorScope = { request: [tool, report, written], revision: '' };
  const offset = cursor === undefined ? 0 : await (await ctx.cursors.open(cursor)).positionIn(scope);
  const asked = check(input, fields) as never;
  const { interval } = fields as { interval?: string };
  const found = await read(ctx, asked, { limit, offset });
  const all =
    report === 'timeseries'
      ? pointsOf(found.data as Point[], found.meta, interval)
      : report === 'retention'
        ? weeksOf(found.data as Week[], found.meta)
        : found.data;
  const { meta } = found;
  return {
    meta: tiers === undefined ? meta : { ...meta, scope: { ...meta.scope, tiers } },
    rows: isList ? all : all.slice(offset, offset + limit),
    offset,
    maxChars: charsFor(limit),
    more: isList ? found.more : all.length > offset + limit,
    issue: (position: number) => ctx.cursors.issue(scope, position),
  };
}

type Words = Pick<AnswerParts, 'notes' | 'next' | 'untrusted'> & {
  /** Calls before `next`, by the rows. */
  nextOf?: (rows: readonly unknown[]) => readonly NextCall[];
  dataOf?: (rows: readonly unknown[]) => unknown;
};

const NOTHING_MATCHES = 'Visits were observed in this range, and nothing of them matches.';

/** The answer of a tool that lists a report's rows. What its words need is read beside the rows. */
export async function tellReport(
  ctx: AgentContext,
  site: AskedSite,
  asked: Asked,
  pendingWords: Words | Promise<Words>,
): Promise<Record<string, unknown>> {
  // A name that isn't there is a better answer than the rows' error.
  const [rows, words] = await Promise.allSettled([readRows(ctx, asked), pendingWords]);
  if (words.status === 'rejected') throw words.reason;
  if (rows.status === 'rejected') throw rows.reason;
  const { meta, issue, ...part } = rows.value;
  const { dataOf, notes = [], nextOf = () => [], next = [], ...rest } = words.value;
  const isEmpty = meta.coverage.observed && part.offset === 0 && part.rows.length === 0;
  const hasVisitors = part.rows.some((row) => Object.hasOwn(row as object, 'visitors'));
  const own = [...notesOf(meta, { hasVisitors }), isEmpty && NOTHING_MATCHES, ...notes];
  return tellRows(
    ctx,
    { ...aboutSite(meta, site), ...rest, next: [...nextOf(part.rows), ...next], notes: own },
    part,
    {
      issue,
      ...(dataOf !== undefined && { dataOf }),
    },
  );
}

/** The one of a list that has this name (in upper or lower case) or id; undefined if none or several have. */
export function namedIn<Item extends { id: string; name: string }>(
  items: readonly Item[],
  named: string,
): Item | undefined {
  const wanted = named.toLowerCase();
  const found = items.filter(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
  return found.length === 1 ? found[0] : undefined;
}
