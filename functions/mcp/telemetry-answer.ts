/** What tools about backends share: pages that fit, calls that help, and sentences. */
import type { OpenedEnvironment } from '../../lib/accounts/opened-access.ts';
import { check } from '../../lib/http/issues.ts';
import { byLikeness } from '../../lib/nearest.ts';
import { listServices } from '../../lib/telemetry/list-services.ts';
import type { PagedMeta, TelemetryMeta } from '../../lib/telemetry/schemas.ts';
import { ListServices } from '../../lib/telemetry/span-schemas.ts';
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

const LONGER: Readonly<Record<string, string>> = {
  '15m': '24h',
  '1h': '24h',
  '6h': '7d',
  '24h': '7d',
  '7d': '30d',
};

/** The same question over a longer period; nothing for the longest, and for a range between instants. */
export function overLonger(
  tool: string,
  { period = '1h', from, ...args }: Record<string, unknown>,
): NextCall[] {
  const longer = from === undefined ? LONGER[String(period)] : undefined;
  return longer === undefined
    ? []
    : [next(tool, { ...args, period: longer }, 'The same over a longer period.')];
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
    ...words
  }: Pick<AnswerParts, 'notes' | 'untrusted' | 'maxText'> & {
    nextOf?: (rows: readonly Row[]) => readonly NextCall[];
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
        notes: [...(base.notes ?? []), ...(words.notes ?? [])],
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

export const FACTS =
  'Outcomes are facts that the backend confirmed. Successful requests and goals of websites are none.';
