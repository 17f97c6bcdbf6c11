/** Filters whose values are written in other letters or by other names than the site has them: asked again as it has them. */
import type { NearValues } from '../../lib/analytics/near-values.ts';
import { readFilter, writeFilter } from '../../lib/analytics/reading/filter-text.ts';
import type { AgentContext } from './agent-context.ts';
import { partsOf, readFilters } from './site-question.ts';

export const AS_STORED = 'Filters were read as the site writes them: `scope.filters`.';

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

interface Answer {
  scope?: { unmatched?: readonly NearValues[] } | null;
  notes?: readonly string[];
}

/** The answer to a call; to filters with values in other letters the answer to the same call with those of the site. */
export async function askAsStored<Input extends object>(
  ctx: AgentContext,
  input: Input,
  run: (ctx: AgentContext, input: Input) => Promise<object>,
): Promise<object> {
  const answer = await run(ctx, input);
  const { filters } = input as { filters?: readonly string[] };
  const unmatched = (answer as Answer).scope?.unmatched;
  const stored = filters && unmatched && asStored(filters, unmatched);
  if (stored === undefined) return answer;
  const written = { filters: readFilters(filters ?? []) };
  const again: Answer = await run({ ...ctx, written, filters }, { ...input, filters: stored });
  return { ...again, notes: [AS_STORED, ...(again.notes ?? [])] };
}
