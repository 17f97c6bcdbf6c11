import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../tooling/deployment.ts';
import { KINDS } from '../attack/kinds.ts';

test('SECURITY.md lists each kind of attack', async () => {
  const text = await readFile(join(ROOT, 'SECURITY.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(KINDS.map(({ name }) => name));
});
