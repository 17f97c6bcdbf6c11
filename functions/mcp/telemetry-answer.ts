/** What tools about backends share: pages that fit, calls that help, and sentences. */
import type { OpenedEnvironment } from '../../lib/accounts/opened-access.ts';
import { check } from '../../lib/http/issues.ts';
import { byLikeness } from '../../lib/nearest.ts';
import { ListErrors } from '../../lib/telemetry/errors/error-schemas.ts';
import { listErrors } from '../../lib/telemetry/errors/list-errors.ts';
import { listServices } from '../../lib/telemetry/list-services.ts';
import type { TelemetryRange } from '../../lib/telemetry/question-schemas.ts';
import type { PagedMeta, TelemetryMeta } from '../../lib/telemetry/schemas.ts';
import { ListServices } from '../../lib/telemetry/span-schemas.ts';
import { resolveRange } from '../../lib/telemetry/telemetry-range.ts';
import type { AgentContext } from './agent-context.ts';
import { ChoiceError, inToolWords } from './choice-error.ts';
import { aboutBackend, backendNotes, backendUntrusted } from './telemetry-question.ts';
import { type AnswerParts, charsFor, type NextCall, tellRows } from './tool-answer.ts';

export const telemetry = ['telemetry:read'] as const;
/** Rows of lists that stand beside others in an answer. */
export const MAX_BESIDE = 20;
/** Log bodies have more text than other values. */
export const MAX_LOG_TEXT = 500;

export const next = (tool: string, args: Record<string, unknown>, why: string): NextCall => ({
  ...{ tool, arguments: args, why },
  scope: 'telemetry:read',
});

const LONGER = ['24h', '7d', '30d'] as const;

/**
 * The same question over the shortest period that holds its range and `lastAt`, and is longer; nothing if there is none, or if a filter can't be
 * repeated.
 */
export function overLonger(
  ctx: AgentContext,
  tool: string,
  { period, from, to, ...args }: Record<string, unknown> & RangeArguments,
  filters: Record<string, unknown> = {},
  lastAt?: string,
): NextCall[] {
  const repeated = repeatableWhole(filters);
  if (repeated === undefined) return [];
  const now = ctx.now();
  const asked = resolveRange(backendRange({ period, from, to }) as TelemetryRange, now).fromMs;
  const begin = lastAt === undefined ? asked : Math.min(asked, Date.parse(lastAt));
  const longer = LONGER.find((one) => resolveRange({ period: one }, now).fromMs < begin);
  return longer === undefined
    ? []
    : [next(tool, { ...args, ...repeated, period: longer }, 'The same over a longer period.')];
}

/** One word, as names of services are. Other texts may be a sentence, and stand in no next call. */
const WORD = /^[\w.:@-]{1,100}$/;

/** Those arguments of the call that a next call may repeat: numbers, and texts of one word. */
export const repeatable = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(args).filter(([, value]) => typeof value === 'number' || WORD.test(String(value))),
  );

/** The arguments of the call, if a next call may repeat all of them: with fewer it would be another question. */
export function repeatableWhole(args: Record<string, unknown>): Record<string, unknown> | undefined {
  const found = repeatable(args);
  return Object.keys(found).length === Object.keys(args).length ? found : undefined;
}

/** By the conventions of OpenTelemetry, a server's span with such an answer is no error. */
const NO_ERRORS =
  'Refusals by a server (4xx) are no errors: `find_logs` with `severity` `warn` may have them.';

/** When something failed last, for an answer without errors: one statement more. */
export async function lastError(
  ctx: AgentContext,
  environment: OpenedEnvironment,
  service: string | undefined,
): Promise<{ at?: string; note: string }> {
  const asked = { ...environmentIds(environment), period: '30d', limit: 1, ...defined({ service }) };
  const { data } = await listErrors(ctx, check(ListErrors, asked));
  const of = service === undefined ? 'this environment' : 'this service';
  const at = data[0]?.lastSeenAt;
  return at === undefined
    ? {
        note: `No error of ${of} is known in 30 days; what came in the last minute may not be counted yet. ${NO_ERRORS}`,
      }
    : { at, note: `The last error of ${of} was at ${at.slice(0, 19)}Z. ${NO_ERRORS}` };
}

export const environmentIds = ({ id, projectId }: OpenedEnvironment) => ({ projectId, environmentId: id });

interface RangeArguments {
  period?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export const backendRange = ({ period, from, to }: RangeArguments) => ({
  ...(period !== undefined && { period }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

export const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

export const aboutEnvironment = (
  meta: TelemetryMeta,
  environment: OpenedEnvironment,
): Omit<AnswerParts, 'data'> => ({
  ...aboutBackend(meta, environment),
  notes: backendNotes(meta),
  untrusted: backendUntrusted,
});

/**
 * The answer of a list whose cursor doesn't depend on its limit. If its rows are too long it asks once more for as many as fit, so that the
 * cursor continues there.
 */
export async function tellPage<Row>(
  ctx: AgentContext,
  environment: OpenedEnvironment,
  limit: number,
  read: (
    limit: number,
  ) => Promise<{ rows: readonly Row[]; meta: PagedMeta; dataOf?: (rows: readonly unknown[]) => unknown }>,
  {
    nextOf = () => [],
    notesOf = () => [],
    ...words
  }: Pick<AnswerParts, 'notes' | 'untrusted' | 'maxText'> & {
    nextOf?: (rows: readonly Row[]) => readonly NextCall[];
    notesOf?: (rows: readonly Row[]) => NonNullable<AnswerParts['notes']>;
  },
): Promise<Record<string, unknown>> {
  const tellPart = async (asked: number) => {
    const { rows, meta, dataOf } = await read(asked);
    // How many items a page examines matters only where it found fewer than it might.
    const isWhole = meta.nextCursor === null || rows.length >= asked;
    // How words are found matters only where none were.
    const isPlain = (note: string): boolean =>
      !(isWhole && note.startsWith('A page examines')) &&
      !(rows.length > 0 && note.startsWith('`text` finds'));
    const notes = meta.notes?.map(inToolWords).filter(isPlain);
    const base = aboutEnvironment({ ...meta, ...(notes !== undefined && { notes }) }, environment);
    const cursor = meta.nextCursor ?? '';
    let kept = 0;
    const answer = await tellRows(
      ctx,
      {
        ...base,
        ...words,
        next: nextOf(rows),
        notes: [...(base.notes ?? []), ...(words.notes ?? []), ...notesOf(rows)],
        untrusted: [...(words.untrusted ?? []), ...backendUntrusted],
      },
      { rows, offset: 0, more: meta.nextCursor !== null, maxChars: charsFor(limit) },
      {
        issue: async (position) => {
          kept = position;
          return cursor;
        },
        ...(dataOf !== undefined && { dataOf }),
      },
    );
    return { answer, kept, whole: rows.length };
  };
  const first = await tellPart(limit);
  const isCut = first.answer.more === true && first.kept < first.whole;
  return isCut ? (await tellPart(first.kept)).answer : first.answer;
}

/** The service's name as it is stored. Throws `NOT_FOUND` with the services of the range. */
export async function serviceNamed(
  ctx: AgentContext,
  environment: OpenedEnvironment,
  { service, ...range }: RangeArguments & { service: string },
): Promise<string> {
  const { data } = await listServices(
    ctx,
    check(ListServices, { ...environmentIds(environment), ...backendRange(range), limit: 100 }),
  );
  const named = data.find(({ name }) => name.toLowerCase() === service.toLowerCase());
  if (named !== undefined) return named.name;
  throw new ChoiceError(
    'NOT_FOUND',
    'No spans of such a service were observed in this range. `choices` are those that were; or ask for a longer `period`.',
    { choices: byLikeness(service, data, ({ name }) => [name]).map(({ name }) => name) },
  );
}

/** Why a request has no visit, and what has. */
export const noVisit = (of: string): string =>
  `No visit is known: no page reported ${of}; only consented ones (tier 3) do. \`rate_pages\` by \`requests\` has traces with a visit.`;

export const journeyOf = (around: { environment: string; traceId: string }): NextCall =>
  next('get_trace', { ...around, view: 'journey' }, 'The visit that asked: its pages before and after.');

/** Whether a few entries were so slow that the mean shows them and the 95th percentile, which is within 4.5 %, doesn't. */
export const hidesSlow = ({ meanMs, p95Ms }: { meanMs: number | null; p95Ms: number | null }): boolean =>
  meanMs !== null && p95Ms !== null && meanMs > 1.05 * p95Ms;

export const HIDDEN =
  '`meanMs` above `p95Ms`: a few were very slow; `find_traces` with `sort: duration` has them.';

export const NO_SOURCE =
  'Outcomes have no source or campaign: `report_conversions` with `goal` and `by` has the revenue of purchase events.';

export const FACTS = 'Outcomes are confirmed facts; successful requests and goals are none.';
