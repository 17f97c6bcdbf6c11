import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { buildArchive } from '../../packages/sdk-node/archive/build-archive.ts';

const MAX_BYTES = 16 * 1024 * 1024;

const ListedManifest = v.object({
  schemaVersion: v.literal(1),
  name: v.string(),
  latest: v.string(),
  versions: v.array(
    v.object({
      version: v.string(),
      file: v.pipe(v.string(), v.regex(/^[\w.-]+\.tgz$/, 'must be the name of a .tgz file')),
      bytes: v.number(),
      integrity: v.pipe(v.string(), v.regex(/^sha512-[\w+/]{86}==$/, 'must be a SHA-512')),
      deprecated: v.optional(v.string()),
    }),
  ),
});

/** Compares a version of a host's archive with its manifest and with this checkout. Returns what to tell. Throws a sentence if they differ. */
export async function verifyArchive(base: string, wanted?: string): Promise<string[]> {
  const manifestUrl = new URL('/sdk/manifest.json', base);
  const manifest = v.safeParse(
    ListedManifest,
    JSON.parse(new TextDecoder().decode(await download(manifestUrl))),
  );
  if (!manifest.success) throw new Error(`${manifestUrl} is not a manifest: ${manifest.issues[0].message}`);
  const { name, latest, versions } = manifest.output;
  const version = wanted ?? latest;
  const listed = versions.find((one) => one.version === version);
  if (!listed)
    throw new Error(
      `The archive has no ${version}. It has ${versions.map((one) => one.version).join(', ')}.`,
    );
  const url = new URL(listed.file, manifestUrl);
  const bytes = await download(url);
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (integrity !== listed.integrity)
    throw new Error(`${url} is not what the manifest says: it has ${integrity}. Don't install it.`);
  const own = (await buildArchive()).get(listed.file);
  if (own && !Buffer.from(own).equals(bytes))
    throw new Error(`${url} is not what this checkout builds. Don't install it.`);
  return [
    `${name} ${version}: ${bytes.length} bytes, as the manifest says: ${integrity}`,
    own
      ? 'This checkout builds the same bytes.'
      : 'This checkout doesn’t have the version: it vouches for nothing.',
    ...(listed.deprecated === undefined ? [] : [`Deprecated: ${listed.deprecated}`]),
    '',
    `npm install --save-exact ${url}`,
    `Commit package-lock.json, and see that it has "integrity": "${integrity}": npm ci then refuses other bytes.`,
  ];
}

async function download(url: URL): Promise<Uint8Array> {
  const response = await fetch(url, { redirect: 'error' }).catch(() => {
    throw new Error(`${url.origin} is out of reach.`);
  });
  if (!response.ok) throw new Error(`${url} answers ${response.status}.`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > MAX_BYTES) throw new Error(`${url} is larger than an SDK.`);
  return bytes;
}
