import type { Stack } from './stack.ts';

/** Resolves when every function answers. Throws, with the names, if one answers with a fault of its own: its log tells. */
export async function awaitAnswers(stack: Stack): Promise<void> {
  const faulty = await Promise.all(
    stack.functions.map(async ({ fn }) => ((await stack.call(fn, '/')).status === 500 ? [fn] : [])),
  );
  if (faulty.flat().length > 0) throw new Error(`These functions don't work: ${faulty.flat().join(', ')}`);
}
