/** How long a step takes at most, about. */
const STEP_MS = 60;
const FEWEST = 20;
const MOST = 500;

/**
 * Sends things some at a time, one after the other. People look at pages meanwhile: each step has as many things as it takes `STEP_MS` for.
 */
export async function inSteps<Thing>(
  things: readonly Thing[],
  send: (some: Thing[]) => Promise<unknown>,
): Promise<void> {
  let size = FEWEST;
  for (let from = 0; from < things.length; ) {
    const some = things.slice(from, from + size);
    from += some.length;
    const start = performance.now();
    await send(some);
    const fitting = Math.round((some.length * STEP_MS) / (performance.now() - start));
    size = Math.max(FEWEST, Math.min(MOST, 2 * size, fitting));
  }
}
