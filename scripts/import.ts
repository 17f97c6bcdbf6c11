/** `npm run import -- --from plausible|umami|ga4-csv FILE --site ID`: imports days that another tool counted (docs/import.md). */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { ImportProblem } from '../lib/imports/readers/import-problem.ts';
import type { Import } from '../lib/imports/schemas.ts';
import type { ImportTarget } from '../lib/imports/send-import.ts';
import { DEV_FILE } from '../tooling/local-folder.ts';
import { importApi, ServiceError } from './import/import-api.ts';
import { type ImportOptions, readImportOptions, USAGE, UsageError } from './import/import-options.ts';
import { runImport } from './import/run-import.ts';

async function run(target: ImportTarget, { dryRun, action, siteId }: ImportOptions): Promise<string> {
  if (action.kind === 'import')
    return runImport(target, { ...action, siteId, dryRun, now: Date.now(), terminal: process.stderr });
  const { imports } = await target.list();
  if (action.kind === 'list') return imports.map(describe).join('\n') || 'Nothing was imported.';
  const wanted = imports.find(({ id }) => action.importId === undefined || id === action.importId);
  if (wanted === undefined) throw new ImportProblem({ file: 'the site' }, 'has no such import');
  if (dryRun) return `${describe(wanted)}\nNothing was undone: this was a dry run.`;
  await target.undo(wanted.id);
  return `${describe(wanted)}\nThis import is undone.`;
}

const describe = ({ id, source, from, to, rows, state }: Import): string =>
  `${id}  ${source}, ${from === null ? 'no day yet' : `${from} to ${to}`}, ${rows} rows${state === 'done' ? '' : ', not finished'}`;

const DevService = v.object({ baseUrl: v.string(), apiToken: v.string() });

/** The service and the token, by default those of `npm run dev`. */
async function findService(url: string | undefined): Promise<{ url: string; token: string }> {
  const token = process.env.VENDOR_API_TOKEN;
  if (url !== undefined && token) return { url, token };
  if (url !== undefined)
    throw new UsageError('VENDOR_API_TOKEN must be set in the environment: an API token of this service.');
  try {
    const { baseUrl, apiToken } = v.parse(DevService, JSON.parse(await readFile(DEV_FILE, 'utf8')));
    return { url: baseUrl, token: token || apiToken };
  } catch {
    throw new UsageError('--url is missing, and npm run dev has not run here.');
  }
}

/** A defect of this program is shown with its stack. */
function tell(error: unknown): unknown {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof ImportProblem) return `${error.message}. Nothing was written.`;
  return error instanceof ServiceError ? error.message : error;
}

try {
  const options = readImportOptions(process.argv.slice(2));
  const service = await findService(options.url);
  console.log(await run(importApi({ ...service, siteId: options.siteId, wait: sleep }), options));
} catch (error) {
  console.error(tell(error));
  process.exitCode = 1;
}
