import * as v from 'valibot';
import type { RetentionItem } from '../../../lib/analytics/answers/behaviour-schemas.ts';
import type { Overview } from '../../../lib/analytics/answers/schemas.ts';
import { findNearValues, type NearValues } from '../../../lib/analytics/near-values.ts';
import { meanOf } from '../../../lib/analytics/reading/figures.ts';
import type { ListReport } from '../../../lib/analytics/reading/run-report.ts';
import { reportNamed } from '../../../lib/analytics/reports.ts';
import type { ReportContext } from '../../../lib/context.ts';
import { dateIn, daysBetween } from '../../../lib/dates.ts';
import { check } from '../../../lib/http/issues.ts';
import type { AgentContext } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import type { AskedSite } from '../find-opened.ts';
import { askAsNamed } from '../near-names.ts';
import { type OwnReport, tellReport } from '../report-rows.ts';
import { analytics, breakDown, inRange, text } from '../site-answer.ts';
import { askedOf, filterFields, pagingFields, siteFields, siteUntrusted } from '../site-question.ts';
import type { NextCall } from '../tool-answer.ts';

const MAX_PATH_LENGTH = 1024;

export const reportBehaviour = reading({
  name: 'report_behaviour',
  title: 'Journeys and retention',
  description:
    'Which ways do visits take, who comes back? `journeys`: frequent paths of up to 5 pages, from `start` or to `end`. `retention`: weekly cohorts.',
  scopes: analytics,
  entries: {
    what: v.picklist(['journeys', 'retention']),
    start: text(MAX_PATH_LENGTH),
    end: text(MAX_PATH_LENGTH),
    ...siteFields,
    ...filterFields,
    ...pagingFields,
  },
  run: async (ctx, input) => {
    const { site, ...asked } = await askedOf(ctx, input);
    return askAsNamed(ctx, input, {
      ask: (own, named) => tellBehaviour(own, site, named, asked),
      near: ({ start, end }) => nearEnds(ctx, site, { start, end }),
    });
  },
});

/** The ends of journeys that are no pages of the site, with the nearest pages. */
async function nearEnds(ctx: AgentContext, { id }: AskedSite, ends: Ends): Promise<NearValues[]> {
  const named = Object.entries(ends).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const near = await findNearValues(
    ctx,
    id,
    named.map(({ value }) => ({ filter: 'page', value })),
  );
  return named
    .flatMap(({ name }, n) => (near[n] === undefined ? [] : [{ ...near[n], filter: name }]))
    .filter(({ value, nearest }) => !nearest.includes(value));
}

interface Ends {
  start?: string | undefined;
  end?: string | undefined;
}

type Asked = Awaited<ReturnType<typeof askedOf>>;

async function tellBehaviour(
  ctx: AgentContext,
  site: AskedSite,
  { what, start, end, limit, cursor }: Ends & { what: string; limit: number; cursor?: string | undefined },
  { fields: common, around }: Omit<Asked, 'site'>,
): Promise<object> {
  const fields = {
    ...common,
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  };
  const asked = { tool: 'report_behaviour', report: what, fields, limit, cursor };
  const next = [breakDown({ ...around, by: 'entry_page' }, 'Where do visits begin?')];
  if (what === 'journeys')
    return tellReport(ctx, site, asked, { next, untrusted: ['data[].pages', ...siteUntrusted] });
  const isFiltered = common.filters !== undefined || common.segment !== undefined;
  const { own, all } = wholeRetention(isFiltered ? undefined : common);
  const nextOf = () => upToNow(ctx, all().weeks, around);
  const words = { notes: [COHORTS, LINKED], nextOf, next, untrusted: siteUntrusted };
  const answer = await tellReport(ctx, site, { ...asked, own }, words);
  return { ...answer, total: totalOf(all()) };
}

/** The weeks that a range touches at most. */
const MAX_WEEKS = 14;
/** The days that a range has at most. */
const MAX_DAYS = 91;

const COHORTS =
  '`visitors` came first in the week; `returned`: how many of them came one week later, two weeks later, and so on; `cameBack`: in any of these, each once. `total`: `newVisitors` of all weeks, and `seenBefore`, the visitors of the range who had come before it (absent with filters); `followed`: those of all weeks with a later one in the range, `cameBack` and `percent` of these; what came after the range isn’t counted. Filters choose by the first visit ever; later visits need not match. `cut`: a part of `week` is before the range or collection. `open`: the last week isn’t over, or the range ends in it.';
const LINKED = 'Only consented visits (tier 3) can be linked to the same person on other days.';

type Retention = ListReport<RetentionItem>;

interface Whole {
  weeks: Retention;
  /** Consented visitors of the range; undefined where it isn't asked for. */
  consented?: number | undefined;
}

/** All weeks, at most 14, whatever part of them is asked for, beside the visitors of the range `overview`; and these. */
function wholeRetention(overview: object | undefined): { own: OwnReport; all: () => Whole } {
  const { input, read } = reportNamed('retention');
  let all: Whole | undefined;
  const own: OwnReport = {
    input,
    isList: false,
    read: async (ctx, asked) => {
      const [found, consented] = await Promise.all([
        read(ctx, asked, { limit: MAX_WEEKS, offset: 0 }),
        overview && consentedVisitors(ctx, overview),
      ]);
      all = { weeks: found as Retention, consented };
      return found;
    },
  };
  return { own, all: () => all as Whole };
}

async function consentedVisitors(ctx: ReportContext, fields: object): Promise<number | undefined> {
  const { input, read } = reportNamed('overview');
  const { data } = await read(ctx, check(input, fields) as never, { limit: 1, offset: 0 });
  return (data as Overview[])[0]?.tiers?.visitors.consented;
}

/** How many visitors came first in the range, and how many of those whose week another one follows came back at all. */
function totalOf({ weeks: { data: weeks }, consented }: Whole): object {
  const sum = (of: readonly RetentionItem[], figure: 'visitors' | 'cameBack') =>
    of.reduce((all, week) => all + (week[figure] ?? 0), 0);
  const newVisitors = sum(weeks, 'visitors');
  const withLater = weeks.filter(({ returned }) => returned.length > 0);
  const [followed, cameBack] = [sum(withLater, 'visitors'), sum(withLater, 'cameBack')];
  return {
    newVisitors,
    ...(consented !== undefined && { seenBefore: consented - newVisitors }),
    ...{ followed, cameBack, percent: meanOf(100 * cameBack, followed) },
  };
}

/** The same from the first Monday up to now, if the range ends before or begins within a week. */
function upToNow(ctx: AgentContext, { data, meta }: Retention, around: Record<string, unknown>): NextCall[] {
  const { from, to, timezone } = meta.range;
  const [first] = data;
  const now = ctx.now();
  if (first === undefined || (first.week >= from && Date.parse(to) > now)) return [];
  const dates = { from: dateIn(Date.parse(first.week), timezone), to: dateIn(now, timezone) };
  return daysBetween(dates.from, dates.to) >= MAX_DAYS
    ? []
    : [
        {
          tool: 'report_behaviour',
          arguments: { ...inRange(around, dates), what: 'retention' },
          why: 'Whole weeks, and who came back up to now.',
          scope: 'analytics:read',
        },
      ];
}
