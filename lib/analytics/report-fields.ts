/** The fields of reports, for requests that name a report by a parameter: exports and batches. */
import * as v from 'valibot';
import { type ReportDefinition, reportNamed } from './reports.ts';

/** Path parameters of reports, with the names that they have as parameters; `FIELDS` is the inverse. */
export const CALLED: Readonly<Record<string, string>> = { name: 'event', funnelId: 'funnel' };
export const FIELDS = Object.fromEntries(Object.entries(CALLED).map(([field, called]) => [called, field]));

/** A report's own fields by the names of their parameters, without paging. */
export function fieldsOf({ input: { entries } }: ReportDefinition): Map<string, v.GenericSchema> {
  const { siteId, limit, cursor, ...own } = entries;
  return new Map(
    Object.entries(own).map(([name, schema]) => [CALLED[name] ?? name, schema as v.GenericSchema]),
  );
}

/** `pages` knows every order of rows, `overview` accepts all filters. */
const WIDEST = ['pages', 'overview'];

/**
 * Every field of these reports, all optional, for the OpenAPI document. Of fields with one name that of the widest report counts; `by` means
 * something else in each report that has it.
 */
export function anyFieldsOf(names: readonly string[]): v.ObjectEntries {
  const found = new Map<string, v.GenericSchema>();
  for (const report of [...names.filter((name) => !WIDEST.includes(name)), ...WIDEST])
    for (const [name, schema] of fieldsOf(reportNamed(report))) {
      const other = found.get(name);
      found.set(
        name,
        name === 'by' && other !== undefined ? v.union([bareOf(other), bareOf(schema)]) : schema,
      );
    }
  return Object.fromEntries(
    [...found].map(([name, schema]) => [name, schema.type === 'optional' ? schema : v.optional(schema)]),
  );
}

const bareOf = (schema: v.GenericSchema): v.GenericSchema =>
  schema.type === 'optional' && 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema;

/** A field in the path of an issue. */
export const pathItem = (input: Record<string, unknown>, key: string): v.ObjectPathItem => ({
  type: 'object',
  origin: 'value',
  input,
  key,
  value: input[key],
});
