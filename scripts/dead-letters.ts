/** `DATABASE_URL=postgres://... npm run dead-letters -- COMMAND`: events that could not be stored (docs/upgrades.md, "Dead letters"). */
import { parseArgs } from 'node:util';
import {
  type DeadLetterChoice,
  dismissDeadLetters,
  listDeadLetters,
  replayDeadLetters,
} from '../lib/collection/dead-letters.ts';
import { connectDatabase, type Sql } from '../lib/db.ts';
import { idFrom } from '../lib/id-from.ts';
import { openOwnDatabase } from '../tooling/open-database.ts';
import { runCommand, UsageError } from '../tooling/run-command.ts';
import { readCommandEnv } from '../tooling/setup-file.ts';

const USAGE = `npm run dead-letters -- list                       how many there are, by site and reason, and the newest
npm run dead-letters -- replay [--site ID] [--id N] [--late]   stores them, oldest first; what is stored counts once
npm run dead-letters -- dismiss --all | --site ID | --id N     deletes them

--id N       one letter, may be given again
--late       also letters that came over 48 hours late; their events count twice if they were stored before
--database postgres://…   default: DATABASE_URL; without one that of npm run dev while it runs, then that of npm run setup`;
const NEWEST = 20;

function readOptions(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      late: { type: 'boolean', default: false },
      site: { type: 'string' },
      id: { type: 'string', multiple: true },
      database: { type: 'string' },
    },
  });
  const ids = values.id?.map(Number);
  if (ids?.some((id) => !Number.isSafeInteger(id) || id < 1))
    throw new UsageError('--id takes a letter’s number.');
  if (values.site !== undefined && idFrom(values.site) === undefined)
    throw new UsageError('--site takes the id of a site.');
  return { ...values, ids, command: positionals.join(' ') };
}

async function list(sql: Sql): Promise<void> {
  const { groups, newest } = await listDeadLetters({ sql }, { limit: NEWEST });
  if (groups.length === 0) return console.log('There are no dead letters.');
  for (const { letters, siteId, reason, oldest, newest: last } of groups)
    console.log(
      `${String(letters).padStart(6)}  ${oldest.toISOString()} to ${last.toISOString()}  ${siteId ?? 'no site'}  ${reason}`,
    );
  console.log('\nThe newest:');
  for (const { id, failedAt, siteId, reason } of newest)
    console.log(`${String(id).padStart(6)}  ${failedAt.toISOString()}  ${siteId ?? 'no site'}  ${reason}`);
}

async function replay(sql: Sql, choice: DeadLetterChoice & { late: boolean }): Promise<void> {
  const total = { letters: 0, stored: 0, repeated: 0, unmeasured: 0, kept: 0 };
  for (let after: number | null = 0; after !== null; ) {
    const done = await replayDeadLetters({ sql, now: Date.now }, { ...choice, after });
    total.letters += done.letters;
    total.stored += done.stored;
    total.repeated += done.repeated;
    total.unmeasured += done.unmeasured;
    total.kept += done.kept.length;
    for (const { id, reason } of done.kept) console.log(`letter ${id} stays: ${reason}`);
    after = done.next;
    if (after !== null) console.log(`${total.letters} letters replayed, up to number ${after}`);
  }
  console.log(
    `${total.letters} letters replayed: ${total.stored} events stored, ${total.repeated} were stored already. ${total.kept} letters stay.`,
  );
  if (total.unmeasured > 0)
    console.log(
      `${total.unmeasured} letters have engagement or vitals of days that are summed up. ` +
        'The reports engagement and vitals leave them out; all other reports count the events.',
    );
}

await runCommand(USAGE, async ({ args, state }) => {
  const { command, ids, site: siteId, all, late, database: named } = readOptions(args);
  if (!['list', 'replay', 'dismiss'].includes(command)) throw new UsageError('Say list, replay or dismiss.');
  if (command === 'dismiss' && !all && siteId === undefined && ids === undefined)
    throw new UsageError('Say which to dismiss: --id, --site, or --all.');
  const url = named ?? ((await readCommandEnv(process.env, state)).DATABASE_URL || undefined);
  const database = await openOwnDatabase(url === undefined ? 'local' : { url });
  try {
    const sql = connectDatabase(database);
    if (command === 'list') await list(sql);
    else if (command === 'replay') await replay(sql, { ids, siteId, late });
    else console.log(`${await dismissDeadLetters({ sql }, { ids, siteId })} letters dismissed.`);
  } finally {
    await database.close();
  }
});
