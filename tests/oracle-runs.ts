import fc from 'fast-check';
import { expect } from 'vitest';

/**
 * How many random cases a test tries that compares with an oracle; tests whose cases are dear take a share of them. Each run draws
 * others. `ORACLE_RUNS` in the environment says another number.
 */
export const ORACLE_RUNS = Number(process.env.ORACLE_RUNS ?? 30);

/**
 * Tries random cases like `fc.assert`, and up to four times as many again until `hasDrawn` says that cases of the kind that the test is
 * about were among them.
 */
export async function assertUntil<Case>(
  hasDrawn: () => boolean,
  property: fc.IAsyncProperty<Case>,
  parameters: fc.Parameters<Case>,
): Promise<void> {
  for (let round = 0; round === 0 || (round < 5 && !hasDrawn()); round++)
    await fc.assert(property, parameters);
  expect(hasDrawn()).toBe(true);
}
