import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { MIGRATION, VERSION } from '../../lib/version.ts';
import { readSchema } from '../../tooling/schema/read-schema.ts';

test('the version is that of package.json, its migration the last one', async () => {
  const path = new URL('../../package.json', import.meta.url);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ version: VERSION });
  expect((await readSchema()).migrations.at(-1)).toMatchObject({ number: MIGRATION });
});
