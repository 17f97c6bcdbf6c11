/** `npm run backup -- FILE`: the database, the queue and, if asked, the secrets, while the service runs (docs/self-host.md#backup). */
import { parseArgs } from 'node:util';
import { findSource } from '../host/backup/find-stores.ts';
import { readSettings } from '../host/settings.ts';
import { showProgress } from '../tooling/backup/show-progress.ts';
import { takeBackup } from '../tooling/backup/take-backup.ts';
import { runCommand, UsageError } from '../tooling/run-command.ts';
import { connectDirectly } from '../tooling/schema/connect-directly.ts';
import { readSetupFile } from '../tooling/setup-file.ts';

const USAGE = `npm run backup -- FILE [--with-secrets]   writes FILE, which must not be there yet

--with-secrets   also the secrets that open second factors and sessions
DATABASE_URL     default: the database in DATA_FOLDER (./data), whether npm start runs or not`;

const report = (line: string): void => console.log(line);

await runCommand(USAGE, async ({ args, state }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'with-secrets': { type: 'boolean', default: false } },
  });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new UsageError('Name one file.');
  const { DATABASE_URL } = state === undefined ? {} : (await readSetupFile(state)).answers;
  const settings = readSettings({ ...(DATABASE_URL && { DATABASE_URL }), ...process.env });
  const source = await findSource(settings);
  try {
    const { header, rows, messages, bytes } = await connectDirectly(source.url, (client) =>
      takeBackup(client, path, {
        queue: source.queue,
        secrets: values['with-secrets'] ? source.secrets() : undefined,
        onProgress: showProgress(report),
        report,
      }),
    );
    report(
      `${path}: ${rows.toLocaleString('en')} rows and ${messages.toLocaleString('en')} messages of the queue, ` +
        `of ${header.version ?? 'no version'}, in ${Math.ceil(bytes / 1000).toLocaleString('en')} kB.`,
    );
    report(
      values['with-secrets']
        ? 'It holds secrets: who has the file can sign in as anybody.'
        : 'It holds no secrets: without them nobody’s second factor works. Keep them elsewhere, or take the backup --with-secrets.',
    );
  } finally {
    await source.close();
  }
});
