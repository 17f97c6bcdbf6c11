/** `npm run restore -- FILE`: fills an empty database from a backup (docs/self-host.md#restore). */
import { parseArgs } from 'node:util';
import { openTarget } from '../host/backup/find-stores.ts';
import { readSettings } from '../host/settings.ts';
import { VERSION } from '../lib/version.ts';
import { type BackupFile, openBackupFile, readSecrets } from '../tooling/backup/backup-file.ts';
import { checkTarget, finishRestore, loadBackup } from '../tooling/backup/restore-backup.ts';
import { showProgress } from '../tooling/backup/show-progress.ts';
import { runCommand, UsageError } from '../tooling/run-command.ts';
import { connectDirectly } from '../tooling/schema/connect-directly.ts';
import { readSetupFile } from '../tooling/setup-file.ts';

const USAGE = `npm run restore -- FILE           into an empty database
npm run restore -- FILE --check   reads the whole file, and writes nothing

DATABASE_URL   default: the database in DATA_FOLDER (./data), which is made`;

const report = (line: string): void => console.log(line);

await runCommand(USAGE, async ({ args, state }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false } },
  });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new UsageError('Name one file.');
  const backup = await openBackupFile(path);
  const { version, createdAt } = backup.header;
  report(`${path} is whole: a backup of ${version ?? 'no version'}, taken at ${createdAt}.`);
  if (values.check) return listParts(backup);
  const { DATABASE_URL } = state === undefined ? {} : (await readSetupFile(state)).answers;
  const settings = readSettings({ ...(DATABASE_URL && { DATABASE_URL }), ...process.env });
  const secrets = await readSecrets(backup);
  const target = await openTarget(settings);
  try {
    await connectDirectly(target.url, async (client) => {
      const found = await checkTarget(client, backup);
      if (secrets !== undefined) target.putSecrets(secrets);
      if (found === 'loaded') report('The rows are there already: a restore was stopped after them.');
      else await loadBackup(client, backup, { onProgress: showProgress(report), report });
      const { stored, repeated, kept } = await finishRestore(client, target.url, backup, report);
      if (stored + repeated > 0)
        report(`${stored} events of the queue are stored, and ${repeated} were stored already.`);
      if (kept > 0) report(`${kept} messages of the queue can’t be stored: npm run dead-letters shows them.`);
    });
  } finally {
    await target.close();
  }
  report(`The database is of ${VERSION} now.`);
  if (secrets === undefined)
    report(
      'The backup has no secrets: put those of before into secrets.json before the first start, or nobody’s second factor works.',
    );
});

async function listParts(backup: BackupFile): Promise<void> {
  for await (const { part, lines, count } of backup.parts()) {
    for await (const _ of lines);
    report(`${String(count()).padStart(12)}  ${part.kind === 'table' ? part.name : `(${part.kind})`}`);
  }
}
