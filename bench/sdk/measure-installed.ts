/** What an application installs for each SDK, and how long it takes to start with it: from the registry, each in a folder of its own. */
import { execFile } from 'node:child_process';
import { copyFile, glob, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../tooling/deployment.ts';
import { median } from '../median.ts';

const run = promisify(execFile);
const STARTS = 11;
const FOLDER = import.meta.dirname;
const MANY_BYTES = 16 * 1024 * 1024;

export interface Installed {
  name: string;
  packages: number;
  bytes: number;
  /** Milliseconds, the median. */
  start: number;
}

interface Sdk {
  name: string;
  /** What npm is asked to install. */
  specs: readonly string[];
  /** A file of this folder that the application loads first. */
  file?: string;
  options: readonly string[];
}

/** Ours as `npm pack` makes it, the others in these versions; the parts of OpenTelemetry in those of package-lock.json. */
async function listSdks(scratch: string): Promise<Sdk[]> {
  const { stdout } = await run(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch, './packages/sdk-node'],
    { cwd: ROOT },
  );
  const source = await readFile(join(FOLDER, 'official.mjs'), 'utf8');
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  const parts = [...source.matchAll(/from '(@opentelemetry\/[^']+)'/g)].map(
    ([, name]) => `${name}@${packages[`node_modules/${name}`].version}`,
  );
  return [
    {
      name: '@vendor/sdk-node',
      specs: [join(scratch, stdout.trim())],
      options: ['--import', '@vendor/sdk-node/register'],
    },
    {
      name: '@opentelemetry/sdk-node, same instrumentations',
      specs: parts,
      file: 'official.mjs',
      options: ['--import', './official.mjs'],
    },
    {
      name: '@opentelemetry/auto-instrumentations-node',
      specs: ['@opentelemetry/auto-instrumentations-node@0.82.0', '@opentelemetry/api@1.10.0'],
      options: ['--require', '@opentelemetry/auto-instrumentations-node/register'],
    },
    {
      name: '@sentry/node',
      specs: ['@sentry/node@11.12.0'],
      file: 'sentry.mjs',
      options: ['--import', './sentry.mjs'],
    },
  ];
}

/** Throws npm's own words if there is no registry. The starts go by turns. */
export async function measureInstalled(env: NodeJS.ProcessEnv): Promise<Installed[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'sdk-installed-'));
  try {
    const installed = [];
    for (const sdk of await listSdks(scratch)) {
      const folder = await mkdtemp(join(scratch, 'app-'));
      await writeFile(join(folder, 'package.json'), '{"private": true}');
      await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...sdk.specs], {
        cwd: folder,
        maxBuffer: MANY_BYTES,
      });
      await copyFile(join(FOLDER, 'begin.cjs'), join(folder, 'begin.cjs'));
      if (sdk.file !== undefined) await copyFile(join(FOLDER, sdk.file), join(folder, sdk.file));
      installed.push({ ...sdk, folder, ...(await sizeOf(folder)), starts: [] as number[] });
      console.error(`  installed: ${sdk.name}`);
    }
    for (let round = 0; round < STARTS; round += 1)
      for (const { options, folder, starts } of installed) {
        const { stdout } = await run(process.execPath, [...options, 'begin.cjs'], { cwd: folder, env });
        starts.push(Number(stdout));
      }
    return installed.map(({ name, packages, bytes, starts }) => ({
      ...{ name, packages, bytes },
      start: median(starts),
    }));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function sizeOf(folder: string): Promise<Pick<Installed, 'packages' | 'bytes'>> {
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  let bytes = 0;
  for await (const path of glob('node_modules/**', { cwd: folder })) {
    const found = await stat(join(folder, path));
    if (found.isFile()) bytes += found.size;
  }
  // The first one is the application itself.
  return { packages: Object.keys(lock.packages).length - 1, bytes };
}
