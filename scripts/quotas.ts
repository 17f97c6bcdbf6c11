/** `DATABASE_URL=postgres://... npm run quotas -- COMMAND`: how much telemetry projects may store (docs/telemetry.md#quotas). */
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { connectDatabase, type Sql } from '../lib/db.ts';
import { hashInput } from '../lib/input-hash.ts';
import { QUOTAS, SetAllQuotas, SetQuotas } from '../lib/telemetry/quota-schemas.ts';
import { getQuotas, setAllQuotas, setQuotas } from '../lib/telemetry/quotas.ts';
import { openOwnDatabase } from '../tooling/open-database.ts';
import { asOperator } from '../tooling/operator.ts';
import { runCommand, UsageError } from '../tooling/run-command.ts';
import { readCommandEnv } from '../tooling/setup-file.ts';

const TOOL = 'npm run quotas';
const USAGE = `npm run quotas -- show PROJECT_ID                 what a project has of its quotas
npm run quotas -- set PROJECT_ID [--QUOTA N]…     its own quotas, from its next request on; N "default": as of all projects
npm run quotas -- set all [--QUOTA N]…            of all projects that have none of their own

--QUOTA      --bytes-per-day, --series, --services, --attribute-keys
N            a whole number, 0 too, or with kB, MB, GB or TB behind it
--database postgres://…   default: DATABASE_URL; without one that of npm run dev while it runs, then that of npm run setup`;

const UNITS: Readonly<Record<string, number>> = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** Null for `default`. */
function readLimit(option: string, text: string): number | null {
  if (text === 'default') return null;
  const [, digits, unit = ''] = /^(\d{1,15})(kB|MB|GB|TB)?$/.exec(text) ?? [];
  if (digits === undefined) throw new UsageError(`--${option} takes a number as 5000 or 20GB.`);
  return Number(digits) * (UNITS[unit] as number);
}

function readCommand(args: string[]) {
  const limit = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'bytes-per-day': limit,
      series: limit,
      services: limit,
      'attribute-keys': limit,
      database: { type: 'string' },
    },
  });
  const { database, ...given } = values;
  const limits = Object.entries(given).map(([option, text]) => [
    option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    readLimit(option, text),
  ]);
  return { positionals, limits: Object.fromEntries(limits) as Record<string, number | null>, database };
}

function parse<Schema extends v.GenericSchema>(schema: Schema, input: object): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) return parsed.output;
  throw new UsageError(
    'PROJECT_ID must be the id of a project, and a number at most 1,000 TB. `all` takes no "default".',
  );
}

async function show(sql: Sql, projectId: string): Promise<void> {
  const quotas = await getQuotas(asOperator(sql, { tool: TOOL }), { projectId });
  for (const name of QUOTAS) {
    const { used, limit } = quotas[name];
    console.log(`${name.padEnd(14)} ${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`);
  }
}

await runCommand(USAGE, async ({ args, state }) => {
  const { positionals, limits, database: named } = readCommand(args);
  const [command, subject = '', ...rest] = positionals;
  if (rest.length > 0 || subject === '' || !['show', 'set'].includes(command ?? ''))
    throw new UsageError('Say show or set, and which project.');
  if (command === 'set' && Object.keys(limits).length === 0) throw new UsageError('Name a quota to set.');
  const asked = parse(v.union([SetAllQuotas, SetQuotas]), {
    ...limits,
    ...(subject !== 'all' && { projectId: subject }),
  });
  const url = named ?? ((await readCommandEnv(process.env, state)).DATABASE_URL || undefined);
  const database = await openOwnDatabase(url === undefined ? 'local' : { url });
  try {
    const sql = connectDatabase(database);
    const ctx = asOperator(sql, { tool: TOOL, inputHash: await hashInput(asked) });
    if (command === 'show') await show(sql, subject);
    else if ('projectId' in asked) {
      await setQuotas(ctx, asked);
      await show(sql, subject);
    } else {
      await setAllQuotas(ctx, asked);
      console.log('Set for all projects without quotas of their own.');
    }
  } finally {
    await database.close();
  }
});
