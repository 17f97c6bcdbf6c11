/** The database and Redis answer. What doesn't is a fault here alone: the checks that need it then say that they weren't made. */
import { type Finding, isLoopback, type Outcome, type Patient } from '../check.ts';

const START_AGAIN = 'end npm run dev with Ctrl-C, and start it again';

/** Asks each store once. Returns the patient with the stores that answer. */
export async function reachStores(patient: Patient): Promise<{ outcome: Outcome; reached: Patient }> {
  const [database, redis] = await Promise.all([findDatabaseFault(patient), findRedisFault(patient)]);
  const isLocal = isLoopback(patient.url);
  const findings: Finding[] = [];
  if (database !== undefined)
    findings.push({
      fault: `The database can't be reached (${database}).`,
      mend: isLocal
        ? START_AGAIN
        : 'npm run setup with --database-url, if its address or password has changed',
    });
  if (redis !== undefined)
    findings.push({
      fault: `Redis can't be asked (${redis}).`,
      mend: isLocal ? START_AGAIN : 'npm run setup with the values of a Redis that is there',
    });
  return {
    outcome: { findings, well: 'they answer' },
    reached: {
      ...patient,
      ...(database !== undefined && { sql: undefined, databaseFault: database }),
      ...(redis !== undefined && { redis: undefined, redisFault: redis }),
    },
  };
}

async function findDatabaseFault({ sql, databaseFault }: Patient): Promise<string | undefined> {
  if (databaseFault !== undefined || sql === undefined) return databaseFault;
  return sql`select 1`.then(
    () => undefined,
    (error: Error) => error.message,
  );
}

const findRedisFault = async ({ redis }: Patient): Promise<string | undefined> =>
  redis?.ping().then(
    () => undefined,
    (error: Error) => String(error.message).split(', command was:')[0],
  );
