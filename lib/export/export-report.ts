/** Exports all rows of a report as a file, in bounded memory. */
import * as v from 'valibot';
import type { ReportMeta } from '../analytics/answers/schemas.ts';
import { anyFieldsOf, CALLED, FIELDS, fieldsOf, pathItem } from '../analytics/report-fields.ts';
import { REPORTS, reportNamed } from '../analytics/reports.ts';
import { withSegment } from '../analytics/segment-filters.ts';
import type { ReportContext } from '../context.ts';
import { Id } from '../fields.ts';
import { ruleOf } from '../rules.ts';
import { type Column, columnsOf, hasLists, keysOf } from './columns.ts';
import { csvFormat, JSON_FORMAT } from './format.ts';
import { PART_ITEMS, type Part, type ReadPart, writeItems } from './write-items.ts';

/** All reports except `live`, whose answer changes every moment. */
export const EXPORTED = Object.keys(REPORTS).filter((name) => name !== 'live');

const head = {
  siteId: Id,
  report: v.pipe(
    v.picklist(EXPORTED),
    v.description(
      'The report’s name. `goals` is the goals’ report, `funnels` the steps of one funnel, `event-props` the report `events/:name/props`.',
    ),
  ),
  format: v.optional(v.picklist(['csv', 'json']), 'csv'),
};

/** Checks the report's name, the format and the report's own fields. */
const checked = v.pipe(
  v.looseObject(head),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { siteId, report, format, ...fields } = dataset.value;
    const definition = reportNamed(report);
    const own = fieldsOf(definition);
    const refuse = (...keys: string[]) =>
      addIssue({
        message: `is no field of \`report=${report}\``,
        path: [pathItem(dataset.value, keys[0] ?? ''), ...keys.slice(1).map((key) => pathItem({}, key))],
      });
    for (const [key, value] of Object.entries(fields)) {
      if (own.has(key)) continue;
      // Each filter is a parameter of its own.
      if (typeof value === 'object' && value !== null)
        for (const name of Object.keys(value)) refuse(key, name);
      else refuse(key);
    }
    const asked = Object.entries(fields).map(([key, value]) => [FIELDS[key] ?? key, value]);
    const result = v.safeParse(
      definition.input,
      { siteId, ...Object.fromEntries(asked) },
      { message: ruleOf },
    );
    for (const { message, path = [] } of result.issues ?? []) {
      const [first, ...rest] = path;
      const key = String(first?.key);
      if (first !== undefined && own.has(CALLED[key] ?? key))
        addIssue({ message, path: [{ ...first, key: CALLED[key] ?? key } as typeof first, ...rest] });
    }
    return result.success ? { report, format, input: result.output as never } : NEVER;
  }),
);

export const ExportReport = { ...checked, entries: { ...anyFieldsOf(EXPORTED), ...head } };
export type ExportReport = v.InferOutput<typeof checked>;

export interface ExportedFile {
  contentType: string;
  /** `pages-2026-11-01-2026-11-30.csv`: the range's first and last day. */
  name: string;
  text: AsyncGenerator<string>;
}

/** Reads the first part at once, so that errors in the request are thrown before the answer begins. */
export async function exportReport(
  ctx: ReportContext,
  { report, format, input }: ExportReport,
): Promise<ExportedFile> {
  // All parts use the same present instant, so that they all read the same range.
  const now = ctx.now();
  const { item, read, input: Input } = reportNamed(report);
  const entries = entriesOf(item.entries, input);
  // The same goes for a segment, which may change meanwhile.
  const asked = (await withSegment(ctx, Input.entries.filters, input)) as never;
  const own = { ...ctx, now: () => now, clock: ctx.now };
  const first = await read(own, asked, { limit: PART_ITEMS, offset: 0 });
  // An export counts as one report: a limit must not cut the file.
  const { countReports: _, ...uncounted } = own;
  const readPart: ReadPart = (part) => read(uncounted, asked, part);
  const writer = format === 'csv' ? csvFormat(await findColumns(entries, first, readPart)) : JSON_FORMAT;
  return {
    contentType: writer.contentType,
    name: `${report}-${daysOf(first.meta)}.${format}`,
    text: writeItems(writer, first, readPart),
  };
}

/** The fields of the items: `previous` is one of a comparison alone. */
function entriesOf({ previous, ...entries }: v.ObjectEntries, input: object): v.ObjectEntries {
  return previous === undefined || !('compare' in input) ? entries : { ...entries, previous };
}

/** The columns of lists within items are those of all items: a report of more parts than one is then read twice. */
async function findColumns(entries: v.ObjectEntries, first: Part, readPart: ReadPart): Promise<Column[]> {
  let keys = keysOf(entries, first.data);
  let isMore = first.more && hasLists(entries);
  for (let offset = PART_ITEMS; isMore; offset += PART_ITEMS) {
    const part = await readPart({ limit: PART_ITEMS, offset });
    keys = keysOf(entries, part.data, keys);
    isMore = part.more;
  }
  const columns = columnsOf(entries, keys);
  return isWithoutGoal(entries, first) ? columns.filter(({ name }) => !OF_GOALS.test(name)) : columns;
}

const OF_GOALS = /^(previous\.)?(exactVisits|conversions|conversionRate)$/;

/** Whether the rows of a list could have conversions of a goal, and none was asked for. */
const isWithoutGoal = (entries: v.ObjectEntries, { data }: Part): boolean =>
  'exactVisits' in entries && !data.some((item) => 'exactVisits' in item);

function daysOf({ range }: ReportMeta): string {
  const dayOf = (instant: number) =>
    new Date(instant).toLocaleDateString('sv-SE', { timeZone: range.timezone });
  return `${dayOf(Date.parse(range.from))}-${dayOf(Date.parse(range.to) - 1)}`;
}
