/** The package's types in an application, as it is packed: what compiles runs. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archivedPackage,
  collectFiles,
  readPackage,
} from '../../../packages/sdk-node/archive/collect-files.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import { runApp } from './run-app.ts';

/** Within the repository, so that `@opentelemetry/api` is found. */
let folder: string;
beforeAll(async () => {
  await mkdir(join(ROOT, '.local'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.local/sdk-types-'));
  for (const { path, content } of [
    ...(await collectFiles()),
    archivedPackage(await readPackage(), '1.0.0'),
  ]) {
    const file = join(folder, 'node_modules/@vendor/sdk-node', path.replace(/^package\//, ''));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
});
afterAll(() => rm(folder, { recursive: true }));

const USES = `
  const sdk: Sdk = start({ reveal: { errorMessages: true } });
  const outcome: Outcome = { source: 'shop', domainEventId: 'order-1', type: 'order.paid', occurredAt: new Date() };
  sdk.confirmOutcome(outcome).then(
    () => { throw new Error('not started'); },
    (error: unknown) => {
      if (!(error instanceof OutcomeError)) throw error;
      const code: 'conflict' | 'invalid' | 'refused' | 'unavailable' | 'inactive' = error.code;
      if (code !== 'inactive') throw error;
    },
  );`;
const ESM = `
  import '@vendor/sdk-node/register';
  import { OutcomeError, start, type Outcome, type Sdk } from '@vendor/sdk-node';${USES}`;
const CJS = `
  import vendor = require('@vendor/sdk-node');
  const { OutcomeError, start } = vendor;
  type Outcome = vendor.Outcome;
  type Sdk = vendor.Sdk;${USES}`;

const TSC = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc');

test.each([
  ['esm', 'node16', 'node16', 'mts', ESM],
  ['cjs', 'node16', 'node16', 'cts', CJS],
  ['esm', 'nodenext', 'nodenext', 'mts', ESM],
  ['cjs', 'nodenext', 'nodenext', 'cts', CJS],
  ['esm', 'bundler', 'esnext', 'mts', ESM],
  ['cjs', 'bundler', 'preserve', 'cts', CJS],
])('%s, moduleResolution %s', async (_format, moduleResolution, module, extension, text) => {
  const name = `${moduleResolution}-${module}.${extension}`;
  await writeFile(join(folder, name), text);
  const options = [...['--module', module, '--moduleResolution', moduleResolution, '--outDir', folder]];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [TSC, '--ignoreConfig', '--strict', '--target', 'es2022', '--types', '', ...options, name],
    { cwd: folder },
  ).catch((failed: { stdout: string }) => failed);
  expect(stdout).toBe('');
  const ended = await runApp(name.replace('.mts', '.mjs').replace('.cts', '.cjs'), { cwd: folder });
  expect(ended).toMatchObject({ end: 0 });
});
