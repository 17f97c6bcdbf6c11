/**
 * `node scripts/check-words.ts`: finds phrases that an engineer whose first language isn't English has to read twice (CONTRIBUTING.md#ground-rules).
 * Ends with 1 if it finds any.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { listFiles } from './check-docs/list-files.ts';

/** Each phrase, and what to write in place of it. */
const PHRASES: readonly (readonly [phrase: RegExp, write: string])[] = [
  [/\bso many\b/i, 'the name of the number: up to `max_rows`, a number of'],
  [/\bsuch as have\b/i, 'that have'],
  [/\bso it is of\b/i, 'the same holds for'],
  [/\bso long at least\b/i, 'minimum time'],
  [/\bworks which\b/i, 'jobs that'],
];

const TEXT = /\.(ts|tsx|js|mjs|sql|md)$/;
/** Texts for readers of a made-up agency, what is released, what is generated, and this list. */
const SKIPPED =
  /^content\/|\/releases\/|\.generated\.|^schema\/migrations\/|^schema\.sql$|^CHANGELOG\.md$|assets\/|check-words/;

const paths = (await listFiles(ROOT)).filter((path) => TEXT.test(path) && !SKIPPED.test(path));
for (const path of paths) {
  const lines = (await readFile(join(ROOT, path), 'utf8')).split('\n');
  for (const [index, line] of lines.entries())
    for (const [phrase, write] of PHRASES) {
      const found = phrase.exec(line)?.[0];
      if (found === undefined) continue;
      console.error(`${path}:${index + 1}: “${found}”: write ${write}`);
      process.exitCode = 1;
    }
}
