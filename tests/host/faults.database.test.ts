/** Processes of `npm start` that end at any moment while page views come: what was accepted is counted, and once. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../dev/scratch-database.ts';
import { SERVER } from '../services/server.ts';
import { accept, expectCounted, makeSite, sendPageViews } from './page-views.ts';
import { type HostFolder, makeHostFolder } from './running-host.ts';

/** Rounds of each fault; a long run has twenty. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 1);
const TIMEOUT_MS = 120_000 + ROUNDS * 60_000;

describe.each(['own', 'server'] as const)('with its %s database', (kind) => {
  let own: HostFolder;
  let scratch: ScratchDatabase | undefined;
  // What a fault leaves behind, the next start finds.
  beforeAll(async () => {
    scratch = kind === 'server' ? await createScratchDatabase(SERVER, { isDurable: false }) : undefined;
    own = await makeHostFolder(scratch?.url);
  });
  afterEach(() => own.end());
  afterAll(async () => {
    await own.close();
    await scratch?.drop();
  });

  test('a serving process that is killed: another one is started', { timeout: TIMEOUT_MS }, async () => {
    const host = await own.start({ PROCESSES: '2' });
    const siteId = await makeSite(own);
    const views = sendPageViews(host.origin, siteId);
    for (let round = 0; round < ROUNDS; round += 1) {
      await accept(views, 50);
      const [victim] = await host.serving();
      process.kill(victim as number, 'SIGKILL');
      await expect
        .poll(async () => (await host.serving()).filter((pid) => pid !== victim).length, {
          timeout: 60_000,
          message: host.lines.slice(-20).join('\n'),
        })
        .toBe(2);
    }
    await accept(views, 50);
    await views.stop();
    await expectCounted(own, siteId, views.accepted);
  });

  test('the keeping process that is killed: the next start needs no hand', {
    timeout: TIMEOUT_MS,
  }, async () => {
    let host = await own.start({ PROCESSES: '2' });
    const siteId = await makeSite(own);
    const views = sendPageViews(host.origin, siteId);
    for (let round = 0; round < ROUNDS; round += 1) {
      await accept(views, 50);
      const serving = await host.serving();
      host.kill('SIGKILL');
      expect(await host.ended).toBe('SIGKILL');
      // What serves can't keep anything any more: it ends too.
      await expect.poll(() => serving.filter(isAlive).length, { timeout: 30_000 }).toBe(0);
      host = await own.start({ PROCESSES: '2' });
    }
    await accept(views, 50);
    await views.stop();
    await expectCounted(own, siteId, views.accepted);
  });

  test('SIGTERM finishes what was begun', { timeout: TIMEOUT_MS }, async () => {
    let host = await own.start({ PROCESSES: '2' });
    const siteId = await makeSite(own);
    const views = sendPageViews(host.origin, siteId);
    await accept(views, 50);
    host.kill('SIGTERM');
    expect(await host.ended).toBe(0);
    host = await own.start({ PROCESSES: '1' });
    await accept(views, 50);
    await views.stop();
    expect(Object.keys(views.others)).toEqual(['broken']);
    await expectCounted(own, siteId, views.accepted);
  });

  if (kind === 'server') return;

  test('PostgreSQL that is killed or stalls: page views wait in the queue', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const host = await own.start({ PROCESSES: '1' });
    const siteId = await makeSite(own);
    const views = sendPageViews(host.origin, siteId);
    for (let round = 0; round < ROUNDS; round += 1) {
      await accept(views, 50);
      const victim = await host.postgres();
      process.kill(victim, 'SIGKILL');
      await expect.poll(() => host.postgres(), { timeout: 60_000 }).not.toBe(victim);
      await accept(views, 50);
      const stalled = await host.postgres();
      process.kill(stalled, 'SIGSTOP');
      await accept(views, 10);
      process.kill(stalled, 'SIGCONT');
    }
    await accept(views, 50);
    await views.stop();
    await expectCounted(own, siteId, views.accepted);
  });

  test('a second start on the folder is refused with the process of the first', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const host = await own.start({ PROCESSES: '1' });
    await expect(own.start()).rejects.toThrow(`is in use by process ${host.pid}`);
    expect((await fetch(`${host.origin}/api/health`)).status).toBe(200);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
