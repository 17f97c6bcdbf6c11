/** Names of a backend that are written in other letters than it sends them, or that it doesn't send: the same as stored-values.ts for sites. */
import type { OpenedEnvironment } from '../../lib/accounts/opened-access.ts';
import { DomainError } from '../../lib/errors.ts';
import { check } from '../../lib/http/issues.ts';
import { listOutcomes } from '../../lib/outcomes/list-outcomes.ts';
import { ListOutcomes } from '../../lib/outcomes/schemas.ts';
import { getConnectionStatus } from '../../lib/telemetry/get-connection-status.ts';
import { listAttributeKeys, MAX_READ_FOR_KEYS } from '../../lib/telemetry/list-attribute-keys.ts';
import { listSpanNames } from '../../lib/telemetry/list-span-names.ts';
import type { TelemetryRange } from '../../lib/telemetry/question-schemas.ts';
import type { AgentContext } from './agent-context.ts';
import { findEnvironment } from './find-opened.ts';
import { type Answer, asStored, isEmpty, nearNames, withUnmatched } from './near-names.ts';
import { backendRange, environmentIds } from './telemetry-answer.ts';
import { readAttributes } from './telemetry-question.ts';

interface Asked extends TelemetryRange {
  environment?: string | undefined;
  service?: string | undefined;
  operation?: string | undefined;
  /** Of outcomes. */
  type?: string | undefined;
  cursor?: string | undefined;
  attributes?: readonly string[] | undefined;
}

const NAMES = ['service', 'operation', 'type'] as const;
type Name = (typeof NAMES)[number];

/** How far back names are known of what has no calls in the range. */
const KNOWN = { period: '30d' } as const;

/** The names that the environment sent: outcomes' types in the range, others in 30 days. */
async function namesIn(
  ctx: AgentContext,
  environment: OpenedEnvironment,
  { service, operation, type, ...range }: Asked,
): Promise<Record<Name, string[]>> {
  const ids = environmentIds(environment);
  const asked = { ...ids, ...backendRange(range) };
  const [spans, connections, outcomes] = await Promise.all([
    service === undefined && operation === undefined ? [] : listSpanNames(ctx, { ...KNOWN, ...ids }),
    service === undefined ? [] : getConnectionStatus(ctx, ids).then(({ data }) => data),
    type === undefined
      ? []
      : listOutcomes(ctx, check(ListOutcomes, { ...asked, limit: 1 })).then(({ data }) => data.types),
  ]);
  const services = [
    ...spans,
    ...connections.flatMap((of) => of.services.map(({ name }) => ({ service: name }))),
  ];
  return {
    service: [...new Set(services.map((of) => of.service))],
    operation: [...new Set(spans.map((span) => span.operation))],
    type: outcomes.map((of) => of.type),
  };
}

/** The answer; undefined if its cursor may belong to the same call with names as the backend sends them. */
async function firstAnswer({ cursor }: Asked, run: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await run();
  } catch (error) {
    if (cursor !== undefined && error instanceof DomainError && error.code === 'CONFLICT') return undefined;
    throw error;
  }
}

const NO_SUCH_KEY = `None of the newest ${MAX_READ_FOR_KEYS} of this range has an attribute that the call asks for: that nothing is found says little. \`scope.unmatched\` has its key with the nearest that there are.`;

/** An empty answer with the keys of its attributes that nothing has. */
async function withUnknownKeys(
  ctx: AgentContext,
  answer: Answer,
  { environment: named, attributes, ...range }: Asked,
  signal: Attributed | undefined,
): Promise<Answer> {
  const asked = Object.keys(readAttributes(attributes).attributes ?? {});
  if (signal === undefined || asked.length === 0 || !isEmpty(answer)) return answer;
  const ids = environmentIds(await findEnvironment(ctx, named));
  const known = await listAttributeKeys(ctx, { ...ids, ...backendRange(range), signal } as KeysAsked);
  const unmatched = known.length === 0 ? [] : asked.flatMap((key) => nearNames('attributes', key, known));
  return unmatched.length === 0 ? answer : withUnmatched(answer, unmatched, NO_SUCH_KEY);
}

type KeysAsked = Parameters<typeof listAttributeKeys>[1];

/** Whose attributes a tool filters by. */
export type Attributed = 'traces' | 'logs';

/** The answer to a call about a backend; an empty one to names in other letters is asked for again as the backend sends them. */
export async function askAsSent<Input extends object>(
  ctx: AgentContext,
  input: Input,
  run: (ctx: AgentContext, input: Input) => Promise<object>,
  signal?: Attributed,
): Promise<object> {
  const asked = input as Asked;
  const named = NAMES.filter((name) => asked[name] !== undefined);
  if (named.length === 0) return withUnknownKeys(ctx, await run(ctx, input), asked, signal);
  const answer = await firstAnswer(asked, () => run(ctx, input));
  if (answer !== undefined && !isEmpty(answer)) return answer;
  const environment = await findEnvironment(ctx, asked.environment);
  const known = await namesIn(ctx, environment, asked);
  const unmatched = named.flatMap((name) => nearNames(name, asked[name] as string, known[name]));
  const stored = unmatched.filter(({ same }) => same).map(({ filter, nearest: [name] }) => [filter, name]);
  if (answer === undefined || (stored.length > 0 && stored.length === unmatched.length)) {
    return asStored(await run(ctx, { ...input, ...Object.fromEntries(stored) }));
  }
  if (unmatched.length === 0) return withUnknownKeys(ctx, answer, asked, signal);
  return withUnmatched(answer, unmatched);
}
