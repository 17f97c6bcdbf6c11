/** The archive that operators hand out: a manifest, and a file for each version. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzip } from 'pako';
import { archivedPackage, collectFiles, readPackage } from './collect-files.ts';
import { writeTar } from './write-tar.ts';

/** `GET /sdk/manifest.json`. */
export interface Manifest {
  schemaVersion: 1;
  name: string;
  /** The newest released version, or the one in work if none is released. */
  latest: string;
  /** The newest first. */
  versions: ManifestVersion[];
}

export interface ManifestVersion {
  version: string;
  /** Its name beside the manifest. */
  file: string;
  bytes: number;
  /** `sha512-…` in Base64, as lockfiles have it. */
  integrity: string;
  /** Versions of Node.js that it runs on. */
  node: string;
  /** Why it should not be used any more. */
  deprecated?: string;
}

/** Released files and `releases.json`, which lists them, the newest first. They stay for ever: lockfiles name their addresses. */
export const RELEASES = fileURLToPath(new URL('releases', import.meta.url));
const IN_WORK = '-dev';

/** Files by name: the manifest, each released version, and the version in work. The same bytes on every machine. */
export async function buildArchive(): Promise<Map<string, Uint8Array>> {
  const released: ManifestVersion[] = JSON.parse(await readFile(join(RELEASES, 'releases.json'), 'utf8'));
  const files = new Map<string, Uint8Array>();
  for (const file of (await readdir(RELEASES)).filter((name) => name.endsWith('.tgz')))
    files.set(file, await readFile(join(RELEASES, file)));
  const { name } = await readPackage();
  const inWork = await archiveInWork();
  const versions = [...released];
  if (inWork) {
    files.set(inWork.listed.file, inWork.bytes);
    versions.unshift(inWork.listed);
  }
  const latest = (released[0] ?? inWork?.listed)?.version;
  if (latest === undefined) throw new Error('the archive is empty');
  const manifest: Manifest = { schemaVersion: 1, name, latest, versions };
  files.set('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  return files;
}

/**
 * The version in work, if the checkout has one. It is named after its contents, as in `0.1.0-dev.1f3b5d7a9c2e`, so that what was served under an
 * address never changes.
 */
async function archiveInWork(): Promise<ArchivedVersion | undefined> {
  const source = await readPackage();
  if (!source.version.endsWith(IN_WORK)) return undefined;
  const files = await collectFiles();
  const hash = createHash('sha256').update(writeTar([...files, archivedPackage(source, source.version)]));
  return archiveVersion(`${source.version}.${hash.digest('hex').slice(0, 12)}`);
}

interface ArchivedVersion {
  listed: ManifestVersion;
  bytes: Uint8Array;
}

/** The checkout's package, archived under a version. */
export async function archiveVersion(version: string): Promise<ArchivedVersion> {
  const source = await readPackage();
  const bytes = gzip(writeTar([...(await collectFiles()), archivedPackage(source, version)]), { level: 9 });
  return { listed: listVersion(source, version, bytes), bytes };
}

const listVersion = (
  { name, engines }: { name: string; engines?: unknown },
  version: string,
  bytes: Uint8Array,
): ManifestVersion => ({
  version,
  file: `${name.replace('@', '').replace('/', '-')}-${version}.tgz`,
  bytes: bytes.length,
  integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
  node: (engines as { node: string }).node,
});
