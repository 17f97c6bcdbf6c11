/** THIRD-PARTY-NOTICES: the licences of all that the service hands out or runs, made from what its bundles hold. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectLicences, packageFolders, readManifest } from '../../tooling/licences.ts';
import { CURRENCIES_SOURCE } from '../currencies/currencies-source.ts';
import { ORIGINS } from '../lists/list-origins.ts';

/** Licences that a bundled package may have. */
const ALLOWED = /^(?:MIT|Apache-2\.0|BSD-[23]-Clause|ISC|OFL-1\.1|Unlicense)$/;
/** Packages of which generated files hold data. */
const DATA_PACKAGES = ['world-atlas/package.json'].map((file) =>
  dirname(fileURLToPath(import.meta.resolve(file))),
);

/** Returns the text for the packages that hold these files. Throws for a package whose licence isn't allowed. */
export async function renderNotices(sources: readonly string[]): Promise<string> {
  const folders = packageFolders([...sources, ...DATA_PACKAGES]);
  for (const folder of folders) {
    const { name, license = 'none' } = await readManifest(folder);
    if (!ALLOWED.test(license)) throw new Error(`${name} is bundled, and its licence is ${license}`);
  }
  const { name, version, licence } = CURRENCIES_SOURCE;
  const lists = [
    ...ORIGINS.map(({ repository, commit, ...origin }) => `${repository} at ${commit}: ${origin.licence}`),
    `${name} ${version}, its list of currencies: ${licence}`,
    'simple-icons 16.37.0, signs of sources in the dashboard: CC0-1.0',
  ];
  return `Made by \`npm run build -- --notices\` from what the built functions and pages hold.
The archive of the SDK for Node.js has a file of its own: LICENSES-of-others.txt.

Lists of data:

${lists.join('\n')}

${'-'.repeat(80)}

${await collectLicences(folders)}`;
}
