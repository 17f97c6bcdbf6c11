/**
 * `node scripts/check-docs.ts`: finds links, citations, paths and commands in documents and comments whose target doesn't exist. Ends with 1 if
 * it finds any.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDocFaults } from './check-docs/find-doc-faults.ts';
import { listFiles } from './check-docs/list-files.ts';

const ROOT = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
const TEXT = /\.(ts|js|sql|md|toml|yml|yaml)$|(^|\/)\.ci\/run$/;
/** Files that aren't checked: generated files, and this check with its test, which contain broken links on purpose. */
const SKIPPED = /\.generated\.|^functions\/[^/]+\/assets\/|^(tests\/)?scripts\/check-docs/;

const paths = await listFiles(ROOT);
const texts = await Promise.all(
  paths
    .filter((path) => TEXT.test(path) && !SKIPPED.test(path))
    .map(async (path) => [path, await readFile(join(ROOT, path), 'utf8')] as const),
);
const faults = findDocFaults({ paths, texts: new Map(texts), commands: new Set(Object.keys(scripts)) });
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
