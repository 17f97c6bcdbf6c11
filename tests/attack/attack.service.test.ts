/** The short form of `npm run attack`: some hundred requests of every kind, the same in each run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useOwnStack } from '../services/use-stack.ts';
import { attackService } from './attack-service.ts';
import { KINDS } from './kinds.ts';
import { readProgress, writeProgress } from './progress.ts';
import { createAccount, drawBatch, type Progress } from './run-attack.ts';

const SEED = 20_261_124;
const logged: string[] = [];
const stack = useOwnStack({ log: (line) => logged.push(line) });

test('an attack finds no fault, keeps how far it is, and goes on there', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  const state = join(folder, 'state.json');
  const run = {
    ...{ minutes: 1, atOnce: 8, seed: SEED, kinds: KINDS, logged, quietSeconds: 0 },
    onBatch: (progress: Progress) => writeProgress(state, progress),
  };
  try {
    const first = await attackService(stack(), { ...run, requests: 300 });
    expect(first.faults).toEqual([]);
    expect([...first.done.byKind.keys()].sort()).toEqual(KINDS.map(({ name }) => name).sort());
    const begun = readProgress({ state, seed: SEED });
    expect(begun?.sent).toBe(first.done.sent);
    expect(() => readProgress({ state, seed: SEED + 1 })).toThrow(`of seed ${SEED}`);
    const second = await attackService(stack(), { ...run, begun, requests: first.done.sent + 50 });
    expect(second.faults).toEqual([]);
    expect(second.done.sent).toBeGreaterThanOrEqual(first.done.sent + 50);
    expect(second.done.nextBatch).toBeGreaterThanOrEqual(first.done.nextBatch);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the same seed draws the same requests, another one others', async () => {
  const account = await createAccount(stack().sql);
  const tracked = { siteId: crypto.randomUUID(), cookie: 'a=b' };
  const attacker = { ...account, other: account.own, tracked, cursors: ['abc'] };
  const draw = (seed: number) => [1, 2, 3].map((batch) => drawBatch(KINDS, attacker, seed, batch));
  expect(draw(SEED)).toEqual(draw(SEED));
  expect(draw(SEED)).not.toEqual(draw(SEED + 100));
});
