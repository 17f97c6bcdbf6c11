/** The files of the package, as they are archived. */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectLicences } from '../../../tooling/licences.ts';
import { bundlePackage } from '../bundle-package.ts';
import type { ArchivedFile } from './write-tar.ts';

interface PackageJson {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  [field: string]: unknown;
}

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const LICENCE = fileURLToPath(new URL('../../../LICENSE', import.meta.url));
/** Packages that are archived with it: they find their own files by their addresses, so the bundle can't hold them. */
const BUNDLED = ['import-in-the-middle'];
/** What a bundled package has for readers alone. */
const UNUSED = /(?:^|\/)(?:CHANGELOG|CODE_OF_CONDUCT|CONTRIBUTING|GOVERNANCE|README)\.md$|\.map$/;

/** Reads `package.json` of the package. */
export const readPackage = async (): Promise<PackageJson> => readJson(join(FOLDER, 'package.json'));

/** All files but `package.json`, whose version depends on them. */
export async function collectFiles(): Promise<ArchivedFile[]> {
  const { files, packages } = await bundlePackage();
  const bundled = await Promise.all(
    BUNDLED.map((name) => collectPackage(name, FOLDER, 'package/node_modules')),
  );
  return [
    ...files.map(({ path, contents }) => ({ path: `package/dist/${path}`, content: contents })),
    ...(await readFiles(FOLDER, 'package', ['README.md', 'index.d.ts'])),
    { path: 'package/LICENSE', content: await readFile(LICENCE) },
    { path: 'package/LICENSES-of-others.txt', content: Buffer.from(await collectLicences(packages)) },
    ...bundled.flat(),
  ];
}

/** `package.json` as it is archived: without what only this repository needs. */
export function archivedPackage(
  { devDependencies, scripts, private: _, ...kept }: PackageJson,
  version: string,
): ArchivedFile {
  const content = JSON.stringify({ ...kept, version, bundleDependencies: BUNDLED }, null, 2);
  return { path: 'package/package.json', content: Buffer.from(`${content}\n`) };
}

/** An installed package and all that it needs, found as Node.js finds it from a folder. */
async function collectPackage(name: string, from: string, into: string): Promise<ArchivedFile[]> {
  const folder = findPackage(name, from);
  const { dependencies = {} } = await readJson(join(folder, 'package.json'));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => !path.startsWith('node_modules/') && !UNUSED.test(path));
  const needed = await Promise.all(
    Object.keys(dependencies).map((one) => collectPackage(one, folder, `${into}/${name}/node_modules`)),
  );
  return [...(await readFiles(folder, `${into}/${name}`, paths)), ...needed.flat()];
}

/** `exports` may hide a package's own `package.json`, so folders are looked through. */
function findPackage(name: string, from: string): string {
  const paths = createRequire(join(from, 'index.js')).resolve.paths(name) ?? [];
  for (const path of paths) {
    try {
      return dirname(createRequire(import.meta.url).resolve(join(path, name, 'package.json')));
    } catch {
      // Not in this folder.
    }
  }
  throw new Error(`${name} is not installed: npm ci`);
}

const readFiles = (folder: string, into: string, paths: readonly string[]): Promise<ArchivedFile[]> =>
  Promise.all(
    paths.map(async (path) => ({ path: `${into}/${path}`, content: await readFile(join(folder, path)) })),
  );

const readJson = async (path: string): Promise<PackageJson> => JSON.parse(await readFile(path, 'utf8'));
