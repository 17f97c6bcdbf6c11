/** All rows of a report as a file, in bounded memory however many there are. */
import * as v from 'valibot';
import { REPORTS, type ReportDefinition, reportNamed } from '../analytics/reports.ts';
import type { ReportMeta } from '../analytics/schemas.ts';
import type { ReportContext } from '../context.ts';
import { Id } from '../fields.ts';
import { ruleOf } from '../rules.ts';
import { csvFormat, JSON_FORMAT } from './format.ts';
import { PART_ITEMS, writeItems } from './write-items.ts';

/** `live` shows the present moment, which nobody keeps. */
export const EXPORTED = Object.keys(REPORTS).filter((name) => name !== 'live');

/** What an export calls the fields that stand in the path of a report, and back. */
const CALLED: Readonly<Record<string, string>> = { name: 'event', funnelId: 'funnel' };
const FIELDS = Object.fromEntries(Object.entries(CALLED).map(([field, called]) => [called, field]));

/** A report's own fields, as an export calls them. An export has all rows, and so no pages. */
function fieldsOf({ input: { entries } }: ReportDefinition): Map<string, v.GenericSchema> {
  const { siteId, limit, cursor, ...own } = entries;
  return new Map(
    Object.entries(own).map(([name, schema]) => [CALLED[name] ?? name, schema as v.GenericSchema]),
  );
}

/** Every field of any report, for the document. `overview` comes last: it takes all filters. */
const anyFields = Object.fromEntries(
  [...EXPORTED.filter((name) => name !== 'overview'), 'overview']
    .flatMap((name) => [...fieldsOf(reportNamed(name))])
    .map(([name, schema]) => [name, schema.type === 'optional' ? schema : v.optional(schema)]),
);

const head = {
  siteId: Id,
  report: v.pipe(
    v.picklist(EXPORTED),
    v.description(
      'Which one. `goals` and `funnels` are their reports, `funnels` the steps of one; `event-props` is `events/:name/props`.',
    ),
  ),
  format: v.optional(v.picklist(['csv', 'json']), 'csv'),
};

/** The name of a report and of a format, and whatever that report is asked. */
const checked = v.pipe(
  v.looseObject(head),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { siteId, report, format, ...fields } = dataset.value;
    const definition = reportNamed(report);
    const own = fieldsOf(definition);
    const refuse = (key: string, message: string) =>
      addIssue({
        message,
        path: [{ type: 'object', origin: 'value', input: dataset.value, key, value: fields[key] }],
      });
    for (const key of Object.keys(fields))
      if (!own.has(key)) refuse(key, `is no field of \`report=${report}\``);
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

export const ExportReport = { ...checked, entries: { ...anyFields, ...head } };
export type ExportReport = v.InferOutput<typeof checked>;

export interface ExportedFile {
  contentType: string;
  /** `pages-2026-11-01-2026-11-30.csv`: the range's first and last day. */
  name: string;
  text: AsyncGenerator<string>;
}

/** Reads the first part at once, so that what is wrong with the request is known before the answer begins. */
export async function exportReport(
  ctx: ReportContext,
  { report, format, input }: ExportReport,
): Promise<ExportedFile> {
  // One present for all parts: none of them sees another range.
  const now = ctx.now();
  const { item, read } = reportNamed(report);
  const readPart = (part: { limit: number; offset: number }) => read({ ...ctx, now: () => now }, input, part);
  const first = await readPart({ limit: PART_ITEMS, offset: 0 });
  const writer = format === 'csv' ? csvFormat(item.entries) : JSON_FORMAT;
  return {
    contentType: writer.contentType,
    name: `${report}-${daysOf(first.meta)}.${format}`,
    text: writeItems(writer, first, readPart),
  };
}

function daysOf({ range }: ReportMeta): string {
  const dayOf = (instant: number) =>
    new Date(instant).toLocaleDateString('sv-SE', { timeZone: range.timezone });
  return `${dayOf(Date.parse(range.from))}-${dayOf(Date.parse(range.to) - 1)}`;
}
