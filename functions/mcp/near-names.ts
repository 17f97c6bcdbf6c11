/** Calls that name what isn't there: asked again if it is written otherwise, and else answered with the nearest names. */
import type { NearValues } from '../../lib/analytics/near-values.ts';
import { fold, nearest } from '../../lib/nearest.ts';
import type { AgentContext } from './agent-context.ts';

export const AS_STORED = 'Filters were read as the site writes them: `scope.filters`.';

export interface Answer {
  data?: unknown;
  scope?: object | null;
  notes?: readonly string[];
  untrusted?: readonly string[];
  more?: boolean;
}

/** Rows of an answer that has sums of all beside them. */
type BesideSums = { types?: unknown; outcomes?: unknown[]; intervals?: unknown[] } | null;

function rowsOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  const { types, outcomes, intervals } = (data as BesideSums) ?? {};
  return (types === undefined ? undefined : (outcomes ?? intervals)) ?? [data];
}

/** Whether a list has no row. */
export const isEmpty = ({ data, more }: Answer): boolean => more !== true && rowsOf(data).length === 0;

/** An argument's value among the names that there are; nothing if it is one of them. */
export function nearNames(filter: string, value: string, known: readonly string[]): NearValues[] {
  if (known.includes(value)) return [];
  const same = known.filter((name) => fold(name) === fold(value));
  const near = same.length > 0 ? same : nearest(value, known, (name) => [name]);
  return [{ filter, value, same: same.length > 0, nearest: near }];
}

const NOT_THERE =
  'Nothing in this range has a name that the call asks for. `scope.unmatched` has it with the nearest that there are; or ask for a longer range.';

/** The answer with the names that aren't there. */
export function withUnmatched(answer: Answer, unmatched: readonly NearValues[], note = NOT_THERE): Answer {
  const { scope, notes = [], untrusted = [] } = answer;
  return {
    ...answer,
    ...{ scope: { ...scope, unmatched }, notes: [note, ...notes] },
    untrusted: [...new Set([...untrusted, 'scope.unmatched'])],
  };
}

export const asStored = (answer: Answer): Answer => ({
  ...answer,
  notes: [AS_STORED, ...(answer.notes ?? [])],
});

/** What a call's arguments are named in the report. A cursor belongs to the names as the call has them. */
const FIELDS: Readonly<Record<string, string>> = {
  event: 'name',
  property: 'key',
  start: 'start',
  end: 'end',
};

/** The answer to a report that names events, properties or pages. `near` is asked only if the answer has no rows. */
export async function askAsNamed<Input extends object>(
  ctx: AgentContext,
  input: Input,
  {
    ask,
    near,
  }: {
    ask: (ctx: AgentContext, input: Input) => Promise<Answer>;
    near: (input: Input) => Promise<NearValues[]>;
  },
): Promise<Answer> {
  const answer = await ask(ctx, input);
  const unmatched = isEmpty(answer) ? await near(input) : [];
  if (unmatched.length === 0) return answer;
  if (!unmatched.every(({ same }) => same)) return withUnmatched(answer, unmatched);
  const written = Object.fromEntries(unmatched.map(({ filter, value }) => [FIELDS[filter], value]));
  const stored = Object.fromEntries(unmatched.map(({ filter, nearest: [name] }) => [filter, name]));
  return asStored(await ask({ ...ctx, written: { ...ctx.written, ...written } }, { ...input, ...stored }));
}
