/** The input of several reports by one request (docs/reports.md#several-reports-at-once). */
import * as v from 'valibot';
import { Id } from '../fields.ts';
import { Limit } from '../paging.ts';
import { ruleOf } from '../rules.ts';
import { AnyReport, CAMPAIGN_PARAMETERS, VITALS_BY } from './reading/report-inputs.ts';
import { anyFieldsOf, FIELDS, fieldsOf, pathItem } from './report-fields.ts';
import { REPORTS, reportNamed } from './reports.ts';

const MAX_REPORTS = 16;

interface Batched {
  /** The report's name in `REPORTS`. */
  report: string;
  /** Fields that the name in the batch decides. */
  preset: Readonly<Record<string, string>>;
}

/** The reports of a batch by name. Each campaign parameter, and each way to list vitals, is a report of its own, so that a batch can have several. */
export const BATCHED: ReadonlyMap<string, Batched> = new Map([
  ...Object.keys(REPORTS)
    .filter((name) => name !== 'utm')
    .map((name): [string, Batched] => [
      name,
      { report: name, preset: name === 'vitals' ? { by: 'page' } : {} },
    ]),
  ...VITALS_BY.map((by): [string, Batched] => [`vitals_${by}`, { report: 'vitals', preset: { by } }]),
  ...CAMPAIGN_PARAMETERS.map((by): [string, Batched] => [`utm_${by}`, { report: 'utm', preset: { by } }]),
]);

/** How many readings a batch's query asks for: its reports, and what describes their range. */
export const countAsked = (query: URLSearchParams): number =>
  Math.min(MAX_REPORTS, query.getAll('report').flatMap((names) => names.split(',')).length) + 1;

interface Named extends Batched {
  name: string;
  limit?: number;
  sort?: string;
}

const NamedReport = v.pipe(
  v.string(),
  v.description(
    'A report’s name, or of a list `name:limit` or `name:limit:sort`. `goals` is the goals’ report, `funnels` the steps of one `funnel`, ' +
      '`event-props` the report `events/:name/props` of one `event`; `utm_source` and the others are `utm` by this parameter, `vitals_site`, `vitals_device` and so on `vitals` by this.',
  ),
  v.rawTransform(({ dataset, addIssue, NEVER }): Named => {
    const [name = '', limit, sort, ...rest] = dataset.value.split(':');
    const batched = BATCHED.get(name);
    if (batched === undefined || rest.length > 0) {
      addIssue({ message: 'must be the name of a report, `name:limit` or `name:limit:sort`' });
      return NEVER;
    }
    if (limit === undefined) return { name, ...batched };
    const { entries } = reportNamed(batched.report).input;
    if (!('limit' in entries)) {
      addIssue({ message: 'must have a limit only if it is a list' });
      return NEVER;
    }
    if (!/^\d{1,3}$/.test(limit) || !v.is(Limit(), Number(limit))) {
      addIssue({ message: 'must have a limit from 1 to 100' });
      return NEVER;
    }
    if (sort === undefined) return { name, ...batched, limit: Number(limit) };
    if (!('sort' in entries) || !v.is(entries.sort as v.GenericSchema, sort)) {
      addIssue({ message: 'must have only a sort that the list takes' });
      return NEVER;
    }
    return { name, ...batched, limit: Number(limit), sort };
  }),
);

const head = {
  siteId: Id,
  report: v.pipe(
    v.array(NamedReport),
    v.description(`1 to ${MAX_REPORTS} reports.`),
    v.minLength(1),
    v.maxLength(MAX_REPORTS),
    v.check(
      (all) => new Set(all.map(({ name }) => name)).size === all.length,
      'must not name a report twice',
    ),
  ),
};

type Fields = Record<string, unknown>;

/** The fields of one report, as its own request would have them. Filters that it doesn't know stay, because it must refuse them. */
function fieldsFor(
  { report, preset, limit, sort }: Named,
  siteId: string,
  { filters, segment, ...others }: Fields,
): Fields {
  const { entries } = reportNamed(report).input;
  const own = Object.entries(others)
    .map(([name, value]): [string, unknown] => [FIELDS[name] ?? name, value])
    .filter(([name]) => Object.hasOwn(entries, name));
  const unknown = Object.entries(filters ?? {}).map(([name, value]) => [`filter_${name}`, value]);
  return {
    siteId,
    ...Object.fromEntries(own),
    ...preset,
    ...(segment !== undefined && { segment }),
    ...(limit !== undefined && { limit }),
    ...(sort !== undefined && { sort }),
    ...('filters' in entries ? filters !== undefined && { filters } : Object.fromEntries(unknown)),
  };
}

/** Checks the reports' names and the common parameters. Each report's own fields are checked with it alone. */
const checked = v.pipe(
  v.looseObject(head),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { siteId, report: reports, ...fields } = dataset.value;
    const own = new Set(
      reports.flatMap(({ report, preset }) =>
        [...fieldsOf(reportNamed(report)).keys()].filter((name) => !(name in preset)),
      ),
    );
    const isCommon = (name: string) => Object.hasOwn(AnyReport.entries, name);
    for (const name of Object.keys(fields))
      if (!own.has(name) && !isCommon(name))
        addIssue({ message: 'is no parameter of these reports', path: [pathItem(fields, name)] });
    const common = Object.fromEntries(Object.entries(fields).filter(([name]) => isCommon(name)));
    const result = v.safeParse(AnyReport, { siteId, ...common }, { message: ruleOf });
    for (const { message, path } of result.issues ?? [])
      addIssue({ message, ...(path !== undefined && { path }) });
    if (!result.success) return NEVER;
    return {
      common: result.output,
      reports: reports.map((named) => ({
        name: named.name,
        report: named.report,
        fields: fieldsFor(named, siteId, fields),
      })),
    };
  }),
);

export const ReportBatch = {
  ...checked,
  entries: {
    ...anyFieldsOf([...BATCHED.values()].map(({ report }) => report).filter((name) => name !== 'utm')),
    ...head,
  },
};
export type ReportBatch = v.InferOutput<typeof checked>;
