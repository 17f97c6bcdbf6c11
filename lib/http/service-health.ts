import * as v from 'valibot';
import { VERSION } from '../version.ts';

/** The functions that `docs` asks for their health. Each name in upper case is the name of a binding. */
export const ASKED = [
  'track',
  'script',
  'ingest',
  'sites',
  'analytics',
  'account',
  'receiver',
  'telemetry',
  'alerts',
  'mcp',
  'sdk',
  'messages',
  'content',
  'dashboard',
] as const;

/** The functions whose health is reported. The gateway reports its own. */
const FunctionName = v.picklist([...ASKED, 'gateway']);
export type FunctionName = v.InferOutput<typeof FunctionName>;

const Status = v.picklist(['ok', 'late', 'upgrading', 'down']);
export type Status = v.InferOutput<typeof Status>;

export const DatabaseVersion = v.object({
  version: v.pipe(v.nullable(v.string()), v.description('Null: an upgrade was stopped before its end.')),
  migration: v.pipe(v.number(), v.integer()),
});

/** The body of `GET /api/health`. */
export const ServiceHealth = v.object({
  data: v.object({
    status: v.pipe(
      Status,
      v.description(
        '`ok`: all functions and the database are of one version. `late`: a cron hasn’t done all of its work for an hour. `upgrading`: the ' +
          'functions and the database are not of one version. `down`: something doesn’t answer.',
      ),
    ),
    version: v.pipe(v.string(), v.description('The version of the function that answers this.')),
    database: v.pipe(v.nullable(DatabaseVersion), v.description('Null: out of reach.')),
    functions: v.pipe(
      v.array(
        v.object({
          name: FunctionName,
          version: v.pipe(v.nullable(v.string()), v.description('Null: the function doesn’t answer.')),
          status: Status,
          cronSucceededAt: v.pipe(
            v.optional(v.nullable(v.string())),
            v.description(
              'When the function’s cron last did all of its work, for a function that has one. Null: never.',
            ),
          ),
        }),
      ),
      v.description('`gateway` is in the list if the request came through it.'),
    ),
  }),
});
export type ServiceHealth = v.InferOutput<typeof ServiceHealth>;

/** How long a health is remembered. */
export const HEALTH_FRESH_MS = 5_000;

export const worstOf = (statuses: readonly Status[]): Status =>
  (['down', 'upgrading', 'late'] as const).find((status) => statuses.includes(status)) ?? 'ok';

/** 200 if all is well, otherwise 503. Monitors and load balancers read nothing but the status. */
export function answerHealth(health: ServiceHealth, headers = new Headers()): Response {
  if (health.data.status === 'ok') return Response.json(health, { headers });
  headers.set('Retry-After', String(HEALTH_FRESH_MS / 1000));
  return Response.json(health, { status: 503, headers });
}

/** Adds `gateway` to an answer of `docs` that goes through it: `docs` can't ask it, since bindings make no circle. */
export async function addGateway(answer: Response): Promise<Response> {
  const body = await answer.clone().text();
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), ServiceHealth), body);
  if (!read.success) return answer;
  const { data } = read.output;
  const status = data.version === VERSION ? 'ok' : 'upgrading';
  const headers = new Headers(answer.headers);
  headers.delete('Content-Length');
  return answerHealth(
    {
      data: {
        ...data,
        status: worstOf([data.status, status]),
        functions: [...data.functions, { name: 'gateway', version: VERSION, status }],
      },
    },
    headers,
  );
}
