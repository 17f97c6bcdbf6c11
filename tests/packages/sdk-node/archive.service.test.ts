/** The archive, as operators hand it out and as npm takes it. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { buildArchive, type Manifest, RELEASES } from '../../../packages/sdk-node/archive/build-archive.ts';
import { bundlePackage } from '../../../packages/sdk-node/bundle-package.ts';
import { verifyArchive } from '../../../scripts/sdk/verify-archive.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();
const run = promisify(execFile);

const scratch: string[] = [];
afterAll(() => Promise.all(scratch.map((folder) => rm(folder, { recursive: true, force: true }))));

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-sdk-'));
  scratch.push(folder);
  return folder;
}

const readManifest = async (): Promise<Manifest> =>
  (await stack().fetch('/sdk/manifest.json')).json() as Promise<Manifest>;

const integrityOf = (bytes: Uint8Array): string =>
  `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

test('the manifest lists what the archive holds; a version’s file may be kept for ever', async () => {
  const answer = await stack().fetch('/sdk/manifest.json');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('application/json');
  const manifest = (await answer.json()) as Manifest;
  expect(manifest).toMatchObject({ schemaVersion: 1, name: '@vendor/sdk-node' });
  expect(manifest.versions.map(({ version }) => version)).toContain(manifest.latest);
  for (const { file, bytes, integrity, node } of manifest.versions) {
    const archived = await stack().fetch(`/sdk/${file}`);
    const content = new Uint8Array(await archived.arrayBuffer());
    expect(archived.headers.get('cache-control')).toBe('public, max-age=31536000, immutable, no-transform');
    expect([content.length, integrityOf(content), node]).toEqual([bytes, integrity, '>=22.15']);
  }
  expect((await stack().fetch('/sdk/vendor-sdk-node-9.9.9.tgz')).status).toBe(404);
  expect((await stack().fetch('/sdk/')).status).toBe(404);
});

test('released files are what was released', async () => {
  const released = JSON.parse(await readFile(join(RELEASES, 'releases.json'), 'utf8'));
  for (const { file, bytes, integrity } of released) {
    const content = await readFile(join(RELEASES, file));
    expect([file, content.length, integrityOf(content)]).toEqual([file, bytes, integrity]);
  }
});

test('another folder and another umask build the same bytes', async () => {
  const folder = await makeFolder();
  const { packages } = await bundlePackage();
  const copied = [
    ...packages.map((path) => relative(ROOT, path)),
    ...['import-in-the-middle', 'cjs-module-lexer', 'module-details-from-path'].map(
      (name) => `node_modules/${name}`,
    ),
  ];
  for (const path of ['packages/sdk-node', 'tooling/licences.ts', 'LICENSE', 'package.json', ...copied])
    await cp(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (source) => path !== 'packages/sdk-node' || !/\/(?:node_modules|dist)$/.test(source),
    });
  // Tools of the build: nothing of them is in the archive.
  for (const name of ['esbuild', 'pako'])
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  const { stdout } = await run(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `process.umask(0o077);
       const { buildArchive } = await import(${JSON.stringify(join(folder, 'packages/sdk-node/archive/build-archive.ts'))});
       process.stdout.write((await buildArchive()).get('manifest.json').toString());`,
    ],
    { cwd: folder },
  );
  expect(JSON.parse(stdout)).toEqual(await readManifest());
});

test('a host’s archive is compared with its manifest and with the checkout', async () => {
  const manifest = await readManifest();
  const latest = manifest.versions.find(({ version }) => version === manifest.latest);
  if (latest === undefined) throw new Error('the manifest lacks its latest version');
  const lines = await verifyArchive(stack().baseUrl);
  expect(lines).toContain('This checkout builds the same bytes.');
  expect(lines.join('\n')).toContain(`npm install --save-exact ${stack().baseUrl}/sdk/${latest.file}`);
  await expect(verifyArchive(stack().baseUrl, '9.9.9')).rejects.toThrow('The archive has no 9.9.9. It has ');

  const archive = await buildArchive();
  const { file } = latest;
  const bytes = Buffer.from(archive.get(file) as Uint8Array);
  bytes[bytes.length - 5] = (bytes[bytes.length - 5] as number) ^ 1;
  const tampered = await serve(new Map([...archive, [file, bytes]]));
  await expect(verifyArchive(tampered)).rejects.toThrow('is not what the manifest says');
  const forged = { ...manifest, versions: [{ ...latest, integrity: integrityOf(bytes) }] };
  const both = await serve(
    new Map([
      [file, bytes],
      ['manifest.json', Buffer.from(JSON.stringify(forged))],
    ]),
  );
  await expect(verifyArchive(both)).rejects.toThrow('is not what this checkout builds');
});

test('npm installs it from its address, and with a lockfile refuses other bytes', {
  timeout: 300_000,
}, async () => {
  const archive = await buildArchive();
  const [file] = [...archive.keys()].filter((name) => name.endsWith('.tgz')) as [string];
  const files = new Map(archive);
  const host = await serve(files);
  const folder = await makeFolder();
  const npm = (...args: string[]) =>
    run(
      'npm',
      [
        ...args,
        '--no-fund',
        '--no-audit',
        '--prefer-offline',
        '--loglevel=error',
        '--cache',
        join(folder, 'cache'),
      ],
      {
        cwd: folder,
      },
    );
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  // The application has the API already, so that the test asks no registry.
  await mkdir(join(folder, 'node_modules/@opentelemetry'), { recursive: true });
  await npm(
    'install',
    '--save-exact',
    `${host}/sdk/${file}`,
    `@opentelemetry/api@file:${join(ROOT, 'node_modules/@opentelemetry/api')}`,
  );
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  expect(lock.packages['node_modules/@vendor/sdk-node']).toMatchObject({
    resolved: `${host}/sdk/${file}`,
    integrity: integrityOf(archive.get(file) as Uint8Array),
  });
  const { stdout, stderr } = await run(
    process.execPath,
    [
      '--import',
      '@vendor/sdk-node/register',
      '--eval',
      "import('@vendor/sdk-node').then(({ start }) => console.log(typeof start().flush))",
    ],
    { cwd: folder, env: { PATH: process.env.PATH } },
  );
  expect(stdout).toBe('function\n');
  expect(stderr).toBe(
    '@vendor/sdk-node: nothing is sent: VENDOR_ENDPOINT and VENDOR_API_KEY and VENDOR_SERVICE_NAME are not set.\n',
  );

  const bytes = Buffer.from(archive.get(file) as Uint8Array);
  bytes[bytes.length - 5] = (bytes[bytes.length - 5] as number) ^ 1;
  files.set(file, bytes);
  await rm(join(folder, 'cache'), { recursive: true, force: true });
  await expect(npm('ci')).rejects.toThrow('EINTEGRITY');
});

/** Serves files below `/sdk/`. Returns the origin. */
async function serve(files: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const server = createServer((request, response) => {
    const found = files.get((request.url ?? '').replace('/sdk/', ''));
    response.writeHead(found ? 200 : 404).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
