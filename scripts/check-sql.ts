/**
 * Checks `schema/`. Ends with 1 if the migrations' numbers aren't 1, 2, 3 …, if one of a release was changed, if a line has 120 columns or
 * more or ends with a blank, if a function has more than 80 lines or builds a row by position, or if no code calls one of the functions.
 */
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { readSchema } from '../tooling/schema/read-schema.ts';
import { findLongFunctions } from './sql/long-functions.ts';
import { findUnusedFunctions } from './sql/unused-functions.ts';

const MAX_COLUMNS = 119;

const problems: string[] = [];
try {
  await readSchema();
} catch (error) {
  problems.push((error as Error).message);
}
// As `sha256sum` writes it: databases of a release have run these very bytes.
for (const line of (await readFile(join(ROOT, 'schema/released.sha256'), 'utf8')).trim().split('\n')) {
  const [hash, path = ''] = line.split('  ');
  const bytes = await readFile(join(ROOT, 'schema', path)).catch(() => '');
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    problems.push(`schema/${path} belongs to a release and was changed. Undo it, and add a migration.`);
}
const sql: string[] = [];
const functions: string[] = [];
for await (const path of glob(join(ROOT, 'schema/**/*.sql'))) {
  const text = await readFile(path, 'utf8');
  sql.push(text);
  if (path.includes('/functions/')) functions.push(text);
  if (path.includes('/functions/') && !path.endsWith('/named-rows.sql') && /\brow\s*\(/i.test(text))
    problems.push(`${relative(ROOT, path)} builds a row by position: use a function of named-rows.sql.`);
  // What a migration made stays as it is in databases, and so here.
  const kept = /\/migrations\//.test(path) ? /\$\$[^$]*\$\$/g : /$^/;
  const lines = text.replace(kept, (body) => body.replaceAll(/[^\n$]/g, '')).split('\n');
  for (const [n, line] of lines.entries()) {
    if (line.length > MAX_COLUMNS)
      problems.push(`${relative(ROOT, path)}:${n + 1} has ${line.length} columns.`);
    if (/\s$/.test(line)) problems.push(`${relative(ROOT, path)}:${n + 1} ends with a blank.`);
  }
}
const code: string[] = [];
for await (const path of glob(join(ROOT, '{lib,functions,tooling,scripts,dev,bench}/**/*.ts'))) {
  code.push(await readFile(path, 'utf8'));
}
problems.push(...findLongFunctions(functions));
problems.push(...findUnusedFunctions(sql, code).map((name) => `Nothing calls ${name}().`));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
