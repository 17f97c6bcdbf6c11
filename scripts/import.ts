/** `npm run import -- --from plausible|umami|ga4-csv FILE --site ID`: imports days that another tool counted (docs/import.md). */
import type { Ports } from '../lib/context.ts';
import { connectDatabase } from '../lib/db.ts';
import { DomainError } from '../lib/errors.ts';
import { readImportRoom, type StoredImport } from '../lib/imports/read-import-room.ts';
import { undoImport } from '../lib/imports/undo-import.ts';
import { type OpenDatabase, openOwnDatabase } from '../tooling/open-database.ts';
import { type ImportOptions, readImportOptions, USAGE, UsageError } from './import/import-options.ts';
import { ImportProblem } from './import/import-problem.ts';
import { runImport } from './import/run-import.ts';

async function run(ctx: Ports, options: ImportOptions): Promise<string> {
  const { siteId, dryRun, action } = options;
  if (action.kind === 'import')
    return runImport(ctx, { ...action, siteId, dryRun, terminal: process.stderr });
  const { imports } = await readImportRoom(ctx, siteId);
  if (action.kind === 'list') return imports.map(describe).join('\n') || 'Nothing was imported.';
  const wanted = imports.find(({ id }) => action.importId === undefined || id === action.importId);
  if (wanted === undefined) throw new ImportProblem({ file: 'the site' }, 'has no such import');
  if (dryRun) return `${describe(wanted)}\nNothing was undone: this was a dry run.`;
  await undoImport(ctx, { siteId, importId: wanted.id });
  return `${describe(wanted)}\nThis import is undone.`;
}

const describe = ({ id, source, from, to, rows }: StoredImport): string =>
  `${id}  ${source}, ${from} to ${to}, ${rows} rows`;

/** A defect of this program is shown with its stack. */
function tell(error: unknown): unknown {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof ImportProblem) return `${error.message}. Nothing was written.`;
  return error instanceof DomainError ? error.message : error;
}

let database: OpenDatabase | undefined;
try {
  const options = readImportOptions(process.argv.slice(2), process.env);
  database = await openOwnDatabase(options.database === undefined ? 'local' : { url: options.database });
  console.log(await run({ sql: connectDatabase(database), now: Date.now }, options));
} catch (error) {
  console.error(tell(error));
  process.exitCode = 1;
} finally {
  await database?.close();
}
