import * as v from 'valibot';
import { errorsOf } from '../../scripts/openapi/errors.ts';
import { MARK } from '../security/hostile-values.ts';
import type { Attempt } from './attempt.ts';
import { TARGETS } from './targets.ts';

/** Allowed statuses of requests whose path, method or headers aren't those of the route. */
const ANYWHERE = [400, 401, 403, 404, 405, 406, 412, 413, 414, 415, 416, 429, 431];

/** The schemas of all error bodies. */
const ERROR_BODIES = TARGETS.flatMap(({ route, service }) => [
  service.errorBody,
  ...(route.errorBody === undefined ? [] : [route.errorBody]),
]);

const cache = new Map<string, ReadonlySet<number>>();

/** The statuses that a route documents, without server errors. */
function documentedStatuses({ route, service }: Attempt): ReadonlySet<number> {
  const key = `${service.name} ${route.operationId}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const all = [...Object.keys(route.responses).map(Number), ...errorsOf(route, service).keys()];
  const statuses = new Set(all.filter((status) => status < 500));
  cache.set(key, statuses);
  return statuses;
}

/** Whether an answer is the 503 that the service declares: busy or out of reach, with the time to wait. The report counts them. */
export const isDeclaredOutage = (
  { route, service }: Attempt,
  { status, headers }: Response,
  body: string,
): boolean =>
  status === 503 && headers.has('Retry-After') && isBodyOf(route.errorBody ?? service.errorBody, body);

function isBodyOf(schema: v.GenericSchema, body: string): boolean {
  try {
    return v.is(schema, JSON.parse(body));
  } catch {
    return false;
  }
}

const isJson = (type: string | null): boolean => /^application\/([a-z.]+\+)?json\b/.test(type ?? '');

/** Describes the fault of an answer. Returns undefined if there is none. */
export function findFault(attempt: Attempt, response: Response, body: string): string | undefined {
  const { status } = response;
  if (isDeclaredOutage(attempt, response, body)) return undefined;
  if (status >= 500) return 'a server error';
  const documented = documentedStatuses(attempt).has(status);
  if (!documented && !(attempt.elsewhere === true && (status < 400 || ANYWHERE.includes(status)))) {
    return 'a status that the route does not document';
  }
  if (status < 400) return attempt.mustFail === true ? 'a success that must not be' : undefined;
  if (repeatsInput(attempt, body)) return 'an error that repeats what was sent';
  if (/\.[cm]?[jt]s:\d+:\d+|\bnode_modules\b|postgres|select .+ from /i.test(body))
    return 'an error that shows the inside';
  if (body === '' || !isJson(response.headers.get('Content-Type'))) return undefined;
  return hasEnvelope(attempt, body) ? undefined : 'an error of another form than documented';
}

/** An error names the field. The name may come from the caller if it is short. */
const NAMED = /"path":"[^"\\<>]{0,100}"|`[^`"\\<>]{0,100}` is not a known field/g;

/** MCP requires errors to repeat the id of the message and the requested version. */
const repeatsInput = ({ route }: Attempt, body: string): boolean =>
  route.path !== '/mcp' && body.replaceAll(NAMED, '').includes(MARK);

function hasEnvelope({ route, service, elsewhere }: Attempt, body: string): boolean {
  const schemas = [
    service.errorBody,
    ...(route.errorBody === undefined ? [] : [route.errorBody]),
    ...Object.values(route.responses).flatMap(({ schema }) => schema ?? []),
    // A changed path may belong to another route.
    ...(elsewhere === true ? ERROR_BODIES : []),
  ];
  try {
    const error: unknown = JSON.parse(body);
    return schemas.some((schema) => v.is(schema, error));
  } catch {
    return false;
  }
}
