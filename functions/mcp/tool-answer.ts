/** The answers of tools: one shape, bounded, with text of strangers only as values (docs/mcp.md#answers). */
import { tidyValue } from '../../lib/mcp/stored-text.ts';
import { type AgentContext, hasScope, type Scope } from './agent-context.ts';

/** Longer results are put aside by clients, or refused. */
export const MAX_ANSWER_CHARS = 25_000;
const MAX_NEXT = 3;

/** A call that would help. Its arguments have only what the service itself made or checked. */
export interface NextCall {
  tool: string;
  arguments: Record<string, unknown>;
  why: string;
  /** The scope that the tool needs: without it the call isn't named. */
  scope: Scope;
}

export interface AnswerParts {
  data: unknown;
  scope?: object | null;
  range?: object | null;
  coverage?: object | null;
  freshness?: object | null;
  /** Sentences of ours on what makes the figures special. */
  notes?: readonly (string | false | undefined)[];
  next?: readonly NextCall[];
  /** Where text of strangers stands: `data[].path`. */
  untrusted?: readonly string[];
  /** More text of a value than elsewhere, in code points. */
  maxText?: number | undefined;
}

export interface Page {
  /** Whether there are rows after these. */
  more: boolean;
  cursor: string | null;
}

/** Shorter texts of values, for answers that would be too long with whole ones. */
const SHORTER_TEXTS = [80, 30];

/** An answer with all of its data; its texts are cut further if it would be too long. */
export function tell(
  ctx: Pick<AgentContext, 'actor'>,
  parts: AnswerParts,
  page?: Page,
): Record<string, unknown> {
  let answer = shape(ctx, parts, page);
  for (const maxText of SHORTER_TEXTS) {
    if (lengthOf(answer) <= MAX_ANSWER_CHARS) break;
    answer = shape(ctx, { ...parts, maxText }, page);
  }
  return answer;
}

function shape(ctx: Pick<AgentContext, 'actor'>, parts: AnswerParts, page?: Page): Record<string, unknown> {
  const { data, scope = null, range = null, coverage = null, freshness = null, maxText } = parts;
  return {
    data: tidyValue(data, maxText),
    scope: tidyValue(scope),
    range,
    coverage: tidyValue(coverage),
    freshness,
    notes: (parts.notes ?? []).filter((note) => typeof note === 'string'),
    next: (parts.next ?? [])
      .filter((call) => hasScope(ctx, call.scope))
      .slice(0, MAX_NEXT)
      .map(({ scope: _, ...call }) => call),
    untrusted: parts.untrusted ?? [],
    ...(page !== undefined && { more: page.more, cursor: page.cursor }),
  };
}

const lengthOf = (value: unknown): number => JSON.stringify(value).length;

export interface Rows {
  rows: readonly unknown[];
  /** The index of the first row in the whole list. */
  offset: number;
  /** Whether there are rows after these. */
  more: boolean;
}

/**
 * An answer with as many of the rows as fit, at least one. `dataOf` puts rows into `data`; `issue` makes a cursor that continues at an
 * index of the list.
 */
export async function tellRows(
  ctx: Pick<AgentContext, 'actor'>,
  parts: Omit<AnswerParts, 'data'>,
  { rows, offset, more }: Rows,
  {
    dataOf = (part) => part,
    issue,
  }: { dataOf?: (rows: readonly unknown[]) => unknown; issue: (position: number) => Promise<string> },
): Promise<Record<string, unknown>> {
  const sample = await issue(offset + rows.length);
  let room =
    MAX_ANSWER_CHARS - lengthOf(tell(ctx, { ...parts, data: dataOf([]) }, { more: true, cursor: sample }));
  let fitting = 0;
  for (const row of rows) {
    room -= lengthOf(tidyValue(row, parts.maxText)) + 1;
    if (room < 0 && fitting > 0) break;
    fitting += 1;
  }
  const isCut = fitting < rows.length;
  const goesOn = isCut || more;
  const page = { more: goesOn, cursor: goesOn ? await issue(offset + fitting) : null };
  return tell(ctx, { ...parts, data: dataOf(rows.slice(0, fitting)) }, page);
}
