/** Code and database are of one version, and every function answers. */
import * as v from 'valibot';
import { ServiceHealth } from '../../../lib/http/service-health.ts';
import { MIGRATION, VERSION } from '../../../lib/version.ts';
import { type Check, type Finding, isLoopback, type Patient, withoutDatabase } from '../check.ts';

const TIMEOUT_MS = 15_000;

export const versions: Check = {
  title: 'Versions of code and database',
  async run(patient) {
    const findings = [...(await checkFunctions(patient)), ...(await checkDatabase(patient))];
    if (patient.databaseFault !== undefined) return { ...withoutDatabase(patient), findings };
    return { findings, well: `all functions and the database are of ${VERSION}` };
  },
};

async function checkFunctions({ fetch, url, databaseFault }: Patient): Promise<Finding[]> {
  const start = isLoopback(url) ? 'npm run dev' : 'npm run deploy';
  let text: string;
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    text = await response.text();
  } catch {
    return [{ fault: '/api/health doesn’t answer.', mend: start }];
  }
  const health = v.safeParse(v.pipe(v.string(), v.parseJson(), ServiceHealth), text);
  if (!health.success)
    return [
      { fault: `${url}/api/health isn't an answer of this service: another program is there.`, mend: start },
    ];
  const { functions, version } = health.output.data;
  const findings = functions.flatMap(({ name, status, version: own }): Finding[] => {
    if (status === 'ok') return [];
    if (own === null)
      return [
        { fault: `${name} doesn't answer.`, mend: isLoopback(url) ? start : `npm run deploy -- ${name}` },
      ];
    // The database that nobody reaches is a fault of its own, and a late cron is one of the crons.
    if (status === 'late' || (status === 'down' && databaseFault !== undefined)) return [];
    return [
      status === 'down'
        ? {
            fault: `${name} can't reach its database.`,
            mend: 'npm run setup   (it gives every function its role’s password again)',
          }
        : {
            fault: `${name} and its database are of different versions (code ${own}).`,
            mend: 'npm run db:apply, then npm run deploy',
          },
    ];
  });
  if (version !== VERSION)
    findings.push({
      fault: `The service is of ${version}, this checkout of ${VERSION}.`,
      mend: `check ${version} out, or upgrade: npm run db:apply, then npm run deploy`,
    });
  return findings;
}

async function checkDatabase({ sql }: Patient): Promise<Finding[]> {
  if (sql === undefined) return [];
  const mend = 'npm run db:apply';
  try {
    const [row] = await sql`select version, coalesce(migration, 0) as migration from schema_version`;
    if (row?.version === VERSION && row.migration === MIGRATION) return [];
    return [
      {
        fault: `The database is of ${row?.version ?? 'an upgrade that was stopped'}, migration ${row?.migration ?? 0}; this checkout of ${VERSION}, migration ${MIGRATION}.`,
        mend,
      },
    ];
  } catch (error) {
    return [
      {
        fault: `The database can't be asked (${(error as Error).message}).`,
        mend: `look at DATABASE_URL, then ${mend}`,
      },
    ];
  }
}
