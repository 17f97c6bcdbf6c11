/** The answers of tools: one shape, bounded, with text of strangers only as values (docs/mcp.md#answers). */
import { tidyValue } from '../../lib/mcp/stored-text.ts';
import { type AgentContext, hasScope, type Scope } from './agent-context.ts';

/** Longer results are put aside by clients, or refused. */
export const MAX_ANSWER_CHARS = 25_000;
/** About 2,500 tokens: what an answer has if no more rows than usual are asked for. */
export const USUAL_ANSWER_CHARS = 8000;
const MAX_NEXT = 3;

/** What a call was filtered by may be copied from an answer. */
const OWN_FILTERS = 'next[].arguments.filters';

/** A call that would help. Its arguments have only what the service itself made or checked, and the filters of the call. */
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
  ctx: Pick<AgentContext, 'actor' | 'leftOut'>,
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

function shape(
  ctx: Pick<AgentContext, 'actor' | 'leftOut'>,
  parts: AnswerParts,
  page?: Page,
): Record<string, unknown> {
  const { data, scope = null, range = null, coverage = null, freshness = null, maxText } = parts;
  const next = (parts.next ?? [])
    .filter((call) => hasScope(ctx, call.scope) && isTidy(call.arguments))
    .slice(0, MAX_NEXT)
    .map(({ scope: _, ...call }) => ({ ...call, arguments: without(call.arguments, ctx.leftOut) }));
  return {
    data: tidyValue(data, maxText),
    scope: tidyValue(scope),
    range: inSeconds(range),
    coverage: tidyValue(inSeconds(coverage)),
    freshness: inSeconds(freshness),
    notes: (parts.notes ?? []).filter((note) => typeof note === 'string'),
    next,
    untrusted: [
      ...(parts.untrusted ?? []).filter((path) => isThere(path, { data, scope })),
      ...(next.some((call) => 'filters' in call.arguments) ? [OWN_FILTERS] : []),
    ],
    ...(page !== undefined && { more: page.more, cursor: page.cursor }),
  };
}

/** Whether an answer can repeat texts as they are. A call with cut filters would be another question. */
const isTidy = (args: object): boolean => JSON.stringify(tidyValue(args)) === JSON.stringify(args);

const without = (args: Record<string, unknown>, names: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));

/** Whether an answer has what a path names, of a list at least once. */
function isThere(path: string, answer: unknown): boolean {
  const [step = '', ...rest] = path.split('.');
  const isList = step.endsWith('[]');
  const at = (answer as Record<string, unknown> | null)?.[isList ? step.slice(0, -'[]'.length) : step];
  if (at === undefined || at === null || (Array.isArray(at) && at.length === 0)) return false;
  if (rest.length === 0) return true;
  const below = rest.join('.');
  return isList && Array.isArray(at) ? at.some((one) => isThere(below, one)) : isThere(below, at);
}

const WHOLE_SECOND = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.000Z$/;

/** Instants without milliseconds that are 0: they cost tokens. */
export const inSeconds = (fields: object | null): object | null =>
  fields &&
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(WHOLE_SECOND, '$1Z') : value,
    ]),
  );

const RECENT_MS = 60_000;

/** How fresh the answer's data is, without what happened in the last minute before `evaluatedAt`. */
export function withoutRecent<Of extends { evaluatedAt: string }>(
  freshness: Of,
): Partial<Of> & { evaluatedAt: string } {
  const { evaluatedAt } = freshness;
  const others = Object.entries(freshness).filter(
    ([, at]) => at === null || Date.parse(evaluatedAt) - Date.parse(String(at)) >= RECENT_MS,
  );
  return { ...(Object.fromEntries(others) as Partial<Of>), evaluatedAt };
}

/** A figure with four digits that count, and one after the point from 1,000 on. Whole numbers stay. */
export const shortFigure = (figure: number): number => {
  if (Number.isInteger(figure)) return figure;
  return Math.abs(figure) < 1000 ? Number(figure.toPrecision(4)) : Math.round(figure * 10) / 10;
};

/** Milliseconds with three digits that count, and none after the point above 100. */
export function shortMs(ms: number): number;
export function shortMs(ms: number | null): number | null;
export function shortMs(ms: number | null): number | null {
  if (ms === null) return null;
  return ms >= 100 ? Math.round(ms) : Number(ms.toPrecision(3));
}

const lengthOf = (value: unknown): number => JSON.stringify(value).length;

export interface Rows {
  rows: readonly unknown[];
  /** The index of the first row in the whole list. */
  offset: number;
  /** Whether there are rows after these. */
  more: boolean;
  /** Most characters of the answer. Default: `MAX_ANSWER_CHARS`. */
  maxChars?: number | undefined;
}

/** Rows of a list by default. */
const DEFAULT_LIMIT = 10;

/** The rows of an answer over time: all `most`, unless another number than the default is asked for. */
export const limitOverTime = (limit: number, most = 100): number => (limit === DEFAULT_LIMIT ? most : limit);

/** The length of an answer by the rows that are asked for. */
export const charsFor = (limit: number): number =>
  limit > DEFAULT_LIMIT ? MAX_ANSWER_CHARS : USUAL_ANSWER_CHARS;

/**
 * An answer with as many of the rows as fit, at least one. `dataOf` puts rows into `data`; `issue` makes a cursor that continues at an
 * index of the list.
 */
export async function tellRows(
  ctx: Pick<AgentContext, 'actor' | 'leftOut'>,
  parts: Omit<AnswerParts, 'data'>,
  { rows, offset, more, maxChars = MAX_ANSWER_CHARS }: Rows,
  {
    dataOf = (part) => part,
    issue,
  }: { dataOf?: (rows: readonly unknown[]) => unknown; issue: (position: number) => Promise<string> },
): Promise<Record<string, unknown>> {
  const sample = await issue(offset + rows.length);
  let room = maxChars - lengthOf(tell(ctx, { ...parts, data: dataOf([]) }, { more: true, cursor: sample }));
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
