import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { atList, billed, billOf } from '../../bench/cost/bill.ts';
import { INPUTS, type Inputs, withInputs } from '../../bench/cost/bill-inputs.ts';
import { ROOT } from '../../tooling/deployment.ts';

/** Traffic in which only the page views cost something. */
const NOTHING_ELSE: Partial<Inputs> = {
  ...{ policyCallsAPageView: 0, scriptCallsAPageView: 0, trackCallsAPageView: 1, eventsAPageView: 1 },
  ...{ isolates: 0, isolateStartsADay: 0, queuedShare: 0, ingestAtOnceMs: 0, foldAtOnceMs: 0 },
};

function find(changed: Partial<Inputs>, what: string) {
  const item = billOf({ ...INPUTS, ...changed }).find((candidate) => candidate.what === what);
  if (item === undefined) throw new Error(`no item ${what}`);
  return item;
}

describe("the providers' own examples", () => {
  test.each([
    [15_000_000, 1.5, 1.5],
    [100_000_000, 27, 13.4],
  ])('Workers: %d requests of 7 ms', (pageViews, requests, cpu) => {
    const inputs = { ...NOTHING_ELSE, pageViews, trackMs: 7 };
    expect(billed(find(inputs, 'Worker requests'))).toBeCloseTo(requests);
    expect(billed(find(inputs, 'Worker CPU'))).toBeCloseTo(cpu);
    expect(billed(find(inputs, 'Workers plan'))).toBe(5);
  });

  test('Queues: a million messages on each of 30 days', () => {
    const inputs = { ...NOTHING_ELSE, pageViews: 30_000_000, queuedShare: 1 };
    expect(billed(find(inputs, 'Queue operations'))).toBeCloseTo(35.6);
  });

  test('Neon: a compute of 0.25 units that never sleeps, and 20 GB', () => {
    expect(billed(find({ pageViews: 1 }, 'Database compute'))).toBeCloseTo(0.25 * 730 * 0.106);
    const stored = { pageViews: 20e9, keptBytesAPageView: 1, retentionMonths: 1, rawDays: 0 };
    expect(billed(find(stored, 'Database storage'))).toBeCloseTo(7);
  });
});

test('at list twice the page views cost twice as much, or less where batches grow', () => {
  for (const item of billOf({ ...INPUTS, isolates: 0, isolateStartsADay: 0 })) {
    const twice = find({ isolates: 0, isolateStartsADay: 0, pageViews: 2 * INPUTS.pageViews }, item.what);
    expect(atList(twice), item.what).toBeLessThanOrEqual(2 * atList(item) + 1e-9);
    expect(atList(twice), item.what).toBeGreaterThanOrEqual(atList(item));
  }
});

test('a database that is busier than its least size is billed for what it does', () => {
  const compute = find({ pageViews: 1e10 }, 'Database compute');
  expect(compute.quantity).toBeGreaterThan(compute.least);
  expect(billed(compute)).toBe(atList(compute));
});

test.each(['pageViews=', 'pageViews=-1', 'pageViews=many', 'pages=1', 'toString=1'])(
  'refuses %s',
  (setting) => {
    expect(() => withInputs([setting])).toThrow();
  },
);

test('the document quotes what is printed', async () => {
  const printed = await promisify(execFile)(process.execPath, [join(ROOT, 'bench/index.ts'), 'cost']);
  const document = await readFile(join(ROOT, 'docs/cost.md'), 'utf8');
  for (const table of printed.stdout.trim().split('\n\n')) expect(document).toContain(table);
});
