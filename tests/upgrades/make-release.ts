/**
 * `npm run build`, then `TEST_DATABASE_URL=postgres://… node tests/upgrades/make-release.ts 0.2.0`: run once with the code of a release,
 * before work on the next one begins. Writes into `releases/<version>/` a filled database (`database.sql.gz`, by pg_dump), the answers of
 * that code (`answers.json.gz`) and the built functions that read the database (`<function>.js.gz`). Writes into `schema/released.sha256`
 * the hashes of the migrations: from then on they never change. Ids are new each time; everything else is the same.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createScratchDatabase } from '../../dev/scratch-database.ts';
import { ROOT } from '../../tooling/deployment.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';
import { readSchema } from '../../tooling/schema/read-schema.ts';
import { collectAnswers } from './answers.ts';
import { fill, listEmptyTables, NOW } from './fill.ts';
import { FUNCTIONS, openService } from './service.ts';

const [version] = process.argv.slice(2);
const { TEST_DATABASE_URL: server } = process.env;
if (version === undefined || server === undefined)
  throw new Error('Name the version, and set TEST_DATABASE_URL.');
const scratch = await createScratchDatabase(server);
const service = await openService({ url: scratch.url });
try {
  await service.neon.withClient(applySchema);
  const filled = await fill(service);
  const empty = await listEmptyTables(service.sql);
  if (empty.length > 0) throw new Error(`These tables are empty: let fill.ts put something there: ${empty}`);
  const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=500', scratch.url];
  const dump = execFileSync('pg_dump', options, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const answers = await collectAnswers(service, filled);
  const folder = new URL(`releases/${version}/`, import.meta.url);
  await mkdir(folder, { recursive: true });
  // Only psql understands lines that begin with a backslash.
  await write('database.sql.gz', dump.replaceAll(/^\\(un)?restrict .*\n/gm, ''));
  await write('answers.json.gz', JSON.stringify({ now: NOW, filled, answers }));

  for (const name of FUNCTIONS)
    await write(`${name}.js.gz`, await readFile(join(ROOT, 'dist', name, 'index.js'), 'utf8'));

  const { migrations } = await readSchema();
  const released = migrations.map(({ name, sql }) => {
    const hash = createHash('sha256').update(sql).digest('hex');
    return `${hash}  migrations/${name}.sql\n`;
  });
  await writeFile(join(ROOT, 'schema/released.sha256'), released.join(''));

  async function write(name: string, text: string): Promise<void> {
    const bytes = gzipSync(text, { level: 9 });
    await writeFile(new URL(name, folder), bytes);
    console.log(`${name}: ${bytes.byteLength} bytes`);
  }
} finally {
  await service.close();
  await scratch.drop();
}
