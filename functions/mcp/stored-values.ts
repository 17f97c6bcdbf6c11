/** Filters whose values are written in other letters or by other names than the site has them: asked again as it has them. */
import { listPropertyValues } from '../../lib/analytics/lists/property-values.ts';
import type { NearValues } from '../../lib/analytics/near-values.ts';
import { readFilter, writeFilter } from '../../lib/analytics/reading/filter-text.ts';
import { AnyReport } from '../../lib/analytics/reading/report-inputs.ts';
import { check } from '../../lib/http/issues.ts';
import type { AgentContext } from './agent-context.ts';
import { type Answer, AS_STORED, nearNames, withUnmatched } from './near-names.ts';
import { askedOf, PROPERTY, partsOf, readFilters, type SiteQuestion } from './site-question.ts';

/** The filters with the values that the site has; undefined if there is nothing to change. `contains` asks for no whole value. */
function asStored(filters: readonly string[], unmatched: readonly NearValues[]): string[] | undefined {
  let isChanged = false;
  const changed = filters.map((filter) => {
    const { name, operator, values: text } = partsOf(filter);
    if (operator === 'contains') return filter;
    const { values } = readFilter(text.replace(/^[!~]/, '\\$&'));
    const stored = values.flatMap((value) => {
      const found = unmatched.find((one) => one.filter === name && one.value === value && one.same);
      if (found !== undefined) isChanged = true;
      return found?.nearest ?? [value];
    });
    return `${name} ${operator} ${writeFilter({ operator: 'is', values: [...new Set(stored)] })}`;
  });
  return isChanged ? changed : undefined;
}

const unmatchedIn = ({ scope }: Answer): readonly NearValues[] =>
  (scope as { unmatched?: readonly NearValues[] } | undefined)?.unmatched ?? [];

/** Whole values of a filter. */
const valuesIn = (filter: string): readonly string[] => {
  const { operator, values } = partsOf(filter);
  return operator === 'contains' ? [] : readFilter(values.replace(/^[!~]/, '\\$&')).values;
};

/** Properties and their values that nothing in the range has. A statement for each filter by a property. */
async function unknownProperties(
  ctx: AgentContext,
  input: SiteQuestion & { site?: string },
): Promise<NearValues[]> {
  const filters = (input.filters ?? []).filter((filter) => filter.startsWith(PROPERTY));
  if (filters.length === 0) return [];
  const { fields } = await askedOf(ctx, { ...input, filters: undefined, segment: undefined });
  const asked = check(AnyReport, fields);
  const near = filters.map(async (filter) => {
    const { name } = partsOf(filter);
    const values = valuesIn(filter);
    const key = name.slice(PROPERTY.length);
    const known = await listPropertyValues(ctx, { ...asked, key, asked: values });
    if (known.values.length > 0) return values.flatMap((value) => nearNames(name, value, known.values));
    return nearNames(
      'filters',
      name,
      known.keys.map((key) => `${PROPERTY}${key}`),
    );
  });
  return (await Promise.all(near)).flat();
}

/** The answer to a call; to filters with values in other letters the answer to the same call with those of the site. */
export async function askAsStored<Input extends object>(
  ctx: AgentContext,
  input: Input,
  run: (ctx: AgentContext, input: Input) => Promise<object>,
): Promise<object> {
  const { filters } = input as SiteQuestion;
  const [found, properties] = await Promise.all([run(ctx, input), unknownProperties(ctx, input)]);
  const unmatched = [...unmatchedIn(found), ...properties];
  const answer = properties.length > 0 ? withUnmatched(found, unmatched) : found;
  const stored = filters && asStored(filters, unmatched);
  if (stored === undefined) return answer;
  const written = { filters: readFilters(filters ?? []) };
  const again: Answer = await run({ ...ctx, written, filters }, { ...input, filters: stored });
  return { ...again, notes: [AS_STORED, ...(again.notes ?? [])] };
}
