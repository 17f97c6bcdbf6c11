import * as v from 'valibot';
import {
  ASKED,
  DatabaseVersion,
  HEALTH_FRESH_MS,
  type ServiceHealth,
  type Status,
  worstOf,
} from '../../lib/http/service-health.ts';
import { MIGRATION, VERSION } from '../../lib/version.ts';

const TIMEOUT_MS = 3_000;

/** The entrypoints `Health` of the other functions. */
export type HealthBindings = Partial<
  Record<Uppercase<(typeof ASKED)[number]>, { fetch(url: string, init: RequestInit): Promise<Response> }>
>;

const OwnHealth = v.object({
  version: v.string(),
  migration: v.number(),
  database: v.nullable(v.union([DatabaseVersion, v.literal('down')])),
  cron: v.optional(v.object({ succeededAt: v.nullable(v.string()), isLate: v.boolean() })),
});
type OwnHealth = v.InferOutput<typeof OwnHealth>;

/** Asks each function for its version and that of its database, at most every 5 seconds an isolate. */
export function rememberHealth(now: () => number): (bindings: HealthBindings) => Promise<ServiceHealth> {
  let known: { at: number; health: Promise<ServiceHealth> } | undefined;
  return (bindings) => {
    if (known === undefined || now() - known.at > HEALTH_FRESH_MS)
      known = { at: now(), health: askAll(bindings) };
    return known.health;
  };
}

async function askAll(bindings: HealthBindings): Promise<ServiceHealth> {
  const answers = await Promise.all(
    ASKED.map(async (name) => ({
      name,
      own: await ask(bindings[name.toUpperCase() as Uppercase<typeof name>]),
    })),
  );
  const functions = answers.map(({ name, own }) => ({
    name,
    version: own?.version ?? null,
    status: statusOf(own),
    ...(own?.cron !== undefined && { cronSucceededAt: own.cron.succeededAt }),
  }));
  const databases = answers.map(({ own }) => own?.database ?? null);
  return {
    data: {
      status: worstOf(functions.map(({ status }) => status)),
      version: VERSION,
      database: databases.find((database) => database !== null && database !== 'down') ?? null,
      functions,
    },
  };
}

async function ask(binding: HealthBindings[keyof HealthBindings]): Promise<OwnHealth | undefined> {
  try {
    const response = await binding?.fetch('http://function/', {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response?.ok === true ? v.parse(OwnHealth, await response.json()) : undefined;
  } catch {
    return undefined;
  }
}

function statusOf(own: OwnHealth | undefined): Status {
  if (own === undefined || own.database === 'down') return 'down';
  const isSame =
    own.version === VERSION &&
    own.migration === MIGRATION &&
    (own.database === null ||
      (own.database.version === own.version && own.database.migration === own.migration));
  if (!isSame) return 'upgrading';
  return own.cron?.isLate === true ? 'late' : 'ok';
}
