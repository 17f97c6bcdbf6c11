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
import { CURRENCIES_SOURCE } from './currencies/currencies-source.ts';
import { readCurrencies, renderCurrencies } from './currencies/read-currencies.ts';

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const text = await withNpmPackage({ ...CURRENCIES_SOURCE, from: values.from }, (folder) =>
  readFile(join(folder, CURRENCIES_SOURCE.file), 'utf8'),
);
const found = createHash('sha256').update(text).digest('hex');
if (found !== CURRENCIES_SOURCE.sha256)
  throw new Error(
    `${CURRENCIES_SOURCE.file} isn't that of ${CURRENCIES_SOURCE.version}: its SHA-256 is ${found}`,
  );
await writeGenerated(
  join(ROOT, 'lib/currencies.generated.ts'),
  renderCurrencies(readCurrencies(text), CURRENCIES_SOURCE),
);
