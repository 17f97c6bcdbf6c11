/** The packages that a bundle holds, and their licences. */
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

interface PackageJson {
  name: string;
  version: string;
  license?: string;
}

/** The folder of the installed package that holds a file; undefined for a file of this repository. */
export const packageFolder = (path: string): string | undefined =>
  /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replaceAll(sep, '/'))?.[0];

/** The folders of the packages that hold these files, each once, sorted. */
export const packageFolders = (paths: readonly string[]): string[] =>
  [...new Set(paths.flatMap((path) => packageFolder(path) ?? []))].sort();

/** Returns `package.json` of an installed package. */
export const readManifest = async (folder: string): Promise<PackageJson> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

/**
 * Returns the texts of the packages' licences, each once, under the names of its packages. Of a package without a text it returns what its
 * `package.json` says; throws if that says nothing.
 */
export async function collectLicences(folders: readonly string[]): Promise<string> {
  const names = new Map<string, string[]>();
  for (const folder of folders) {
    const { name, version, license } = await readManifest(folder);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e(?:[.-]|$)/i.test(entry));
    if (file === undefined && license === undefined) throw new Error(`${name} has no licence`);
    const text =
      file === undefined
        ? `${license}, by its package.json: the package has no text of it.`
        : await readFile(join(folder, file), 'utf8');
    const of = names.get(text) ?? [];
    if (!of.includes(`${name} ${version}`)) names.set(text, [...of, `${name} ${version}`]);
  }
  return [...names]
    .map(([text, of]) => `${of.join('\n')}\n\n${text.trim()}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}
