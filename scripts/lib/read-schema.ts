import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './deployment.ts';

/** `schema.sql` with the files that it includes by `\ir`, as psql reads it: one script for any driver. */
export async function readSchema(): Promise<string> {
  const parts = (await readFile(join(ROOT, 'schema.sql'), 'utf8')).split('\n').map((line) => {
    const [, included] = /^\\ir (\S+)$/.exec(line) ?? [];
    return included === undefined ? line : readFile(join(ROOT, included), 'utf8');
  });
  return (await Promise.all(parts)).join('\n');
}
