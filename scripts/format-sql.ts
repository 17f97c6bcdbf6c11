/** `npm run format:sql`: formats `schema/`. With `--check` it changes nothing and ends with 1 if a file isn't formatted. */
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { formatSql } from './sql/format-sql.ts';

const isCheck = process.argv.includes('--check');
for await (const path of glob(join(ROOT, 'schema/**/*.sql'))) {
  const text = await readFile(path, 'utf8');
  // A database keeps the body that a migration gave it, which no later migration changes.
  const formatted = formatSql(text, { keepsBodies: path.includes('/migrations/') });
  if (formatted === text) continue;
  if (isCheck) {
    console.error(`${relative(ROOT, path)} is not formatted: run \`npm run format:sql\`.`);
    process.exitCode = 1;
  } else await writeFile(path, formatted);
}
