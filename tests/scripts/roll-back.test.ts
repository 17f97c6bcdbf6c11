/** `npm run deploy -- --rollback`, against a stand-in of the provider. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rollBack } from '../../scripts/deploy/roll-back.ts';
import { connectProvider } from '../../tooling/provider/connect-provider.ts';
import { differences } from '../provider/compare-requests.ts';
import { type StandIn, startProvider } from '../provider/start-provider.ts';

const WORKERS = ['vendor-ingest', 'vendor-track', 'vendor-gateway'];
let provider: StandIn;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(async () => {
  expect(differences(provider.requests)).toEqual([]);
  await provider.close();
});
beforeEach(() => {
  provider.account.workers.clear();
});

/** Gives a Worker these uploads, the oldest first, at these minutes. */
function upload(name: string, ...uploads: [message: string | undefined, minute: number][]): void {
  const versions = uploads.map(([message, minute], index) => ({
    ...{ id: `${name}-${index}`, at: `2026-11-01T10:0${minute}:00Z`, message, metadata: {}, bindings: [] },
    ...{ modules: {}, assets: {} },
  }));
  provider.account.workers.set(name, {
    ...{ name, secrets: {}, workersDev: false, crons: [], versions },
    deployments: versions.map(({ id, at, message }) => ({ id, at, version: id, message })).toReversed(),
  });
}
const running = () =>
  WORKERS.map((name) => provider.account.workers.get(name)?.deployments[0]?.version).join(' ');

async function goBack(options: Partial<Parameters<typeof rollBack>[0]> = {}): Promise<string> {
  const output: string[] = [];
  const access = { headers: { Authorization: `Bearer ${provider.token}` }, baseUrl: provider.baseUrl };
  await rollBack({
    ...{ provider: connectProvider(access, provider.account.id), workers: WORKERS },
    ...{ force: false, dryRun: false, tell: (line) => output.push(line) },
    ...options,
  });
  return output.join('\n');
}

test('every Worker goes back to the release before, whoever calls others first', async () => {
  for (const name of WORKERS) upload(name, ['vendor 0.1.0', 1], ['vendor 0.2.0', 2], ['vendor 0.2.0', 3]);
  expect(await goBack({ dryRun: true })).toContain('not done');
  expect(running()).toBe('vendor-ingest-2 vendor-track-2 vendor-gateway-2');
  const output = await goBack();
  expect(running()).toBe('vendor-ingest-0 vendor-track-0 vendor-gateway-0');
  expect(output.indexOf('vendor-gateway')).toBeLessThan(output.indexOf('vendor-ingest'));
});

test('after a deployment that stopped halfway only the newer Workers go back', async () => {
  upload('vendor-ingest', ['vendor 0.1.0', 1], ['vendor 0.2.0', 3]);
  for (const name of WORKERS.slice(1)) upload(name, ['vendor 0.0.9', 0], ['vendor 0.1.0', 1]);
  await goBack();
  expect(running()).toBe('vendor-ingest-0 vendor-track-1 vendor-gateway-1');
});

test('refuses to guess', async () => {
  await expect(goBack()).rejects.toThrow('nothing to roll back');
  for (const name of WORKERS) upload(name, ['vendor 0.2.0', 1]);
  await expect(goBack()).rejects.toThrow('knows no release before vendor 0.2.0');
  for (const name of WORKERS) upload(name, ['vendor 0.1.0', 1], ['somebody else', 2]);
  await expect(goBack()).rejects.toThrow('doesn’t say which release it is of');
  expect(running()).toBe('vendor-ingest-1 vendor-track-1 vendor-gateway-1');
});

test('says how to go on where the provider refuses', async () => {
  for (const name of WORKERS) upload(name, ['vendor 0.1.0', 1], ['vendor 0.2.0', 2]);
  provider.failWhen(({ method }) => (method === 'POST' ? 'error' : undefined));
  await expect(goBack()).rejects.toThrow(/vendor-gateway was not rolled back.*run the same command again/);
  provider.failWhen(undefined);
  await goBack();
  expect(running()).toBe('vendor-ingest-0 vendor-track-0 vendor-gateway-0');
});
