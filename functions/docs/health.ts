import * as v from 'valibot';
import { HEALTH_PATH } from '../../lib/http/health.ts';
import { MIGRATION, VERSION } from '../../lib/version.ts';

/** The functions that are asked, by the names of their bindings in lower case. */
const FUNCTIONS = [
  'track',
  'script',
  'ingest',
  'sites',
  'analytics',
  'account',
  'receiver',
  'telemetry',
] as const;
const FRESH_MS = 5_000;
const TIMEOUT_MS = 3_000;

export type HealthBindings = Partial<
  Record<Uppercase<(typeof FUNCTIONS)[number]>, { fetch(url: string, init: RequestInit): Promise<Response> }>
>;

const DatabaseVersion = v.object({
  version: v.pipe(v.nullable(v.string()), v.description('Null: an upgrade was stopped before its end.')),
  migration: v.pipe(v.number(), v.integer()),
});
const OwnHealth = v.object({
  version: v.string(),
  migration: v.number(),
  database: v.nullable(v.union([DatabaseVersion, v.literal('down')])),
});

export const Health = v.object({
  status: v.pipe(
    v.picklist(['ok', 'upgrading', 'down']),
    v.description(
      '`ok`: all functions and the database are of one version. `upgrading`: they answer, and are not. `down`: something doesn’t answer.',
    ),
  ),
  version: v.pipe(v.string(), v.description('The version of the function that answers this.')),
  database: v.pipe(v.nullable(DatabaseVersion), v.description('Null: out of reach.')),
  functions: v.array(
    v.object({
      name: v.picklist(FUNCTIONS),
      version: v.pipe(v.nullable(v.string()), v.description('Null: the function doesn’t answer.')),
      status: v.picklist(['ok', 'upgrading', 'down']),
    }),
  ),
});
type Health = v.InferOutput<typeof Health>;

/** Asks each function for its version and that of its database, at most every 5 seconds an isolate. */
export function rememberHealth(now: () => number): (bindings: HealthBindings) => Promise<Health> {
  let known: { at: number; health: Promise<Health> } | undefined;
  return (bindings) => {
    if (known === undefined || now() - known.at > FRESH_MS) known = { at: now(), health: askAll(bindings) };
    return known.health;
  };
}

async function askAll(bindings: HealthBindings): Promise<Health> {
  const answers = await Promise.all(
    FUNCTIONS.map(async (name) => ({
      name,
      own: await ask(bindings[name.toUpperCase() as Uppercase<typeof name>]),
    })),
  );
  const functions = answers.map(({ name, own }) => ({
    name,
    version: own?.version ?? null,
    status: statusOf(own),
  }));
  const databases = answers.map(({ own }) => own?.database ?? null);
  const worst = (['down', 'upgrading'] as const).find((status) =>
    functions.some((answer) => answer.status === status),
  );
  return {
    status: worst ?? 'ok',
    version: VERSION,
    database: databases.find((database) => database !== null && database !== 'down') ?? null,
    functions,
  };
}

async function ask(
  binding: HealthBindings[keyof HealthBindings],
): Promise<v.InferOutput<typeof OwnHealth> | undefined> {
  try {
    const response = await binding?.fetch(`http://function${HEALTH_PATH}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response?.ok === true ? v.parse(OwnHealth, await response.json()) : undefined;
  } catch {
    return undefined;
  }
}

function statusOf(own: v.InferOutput<typeof OwnHealth> | undefined): 'ok' | 'upgrading' | 'down' {
  if (own === undefined || own.database === 'down') return 'down';
  const isSame =
    own.version === VERSION &&
    own.migration === MIGRATION &&
    (own.database === null ||
      (own.database.version === own.version && own.database.migration === own.migration));
  return isSame ? 'ok' : 'upgrading';
}
