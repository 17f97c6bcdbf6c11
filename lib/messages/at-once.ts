/** Does `work` for each item, at most `most` at the same time. Throws the first fault after all others have ended. */
export async function untilSettled<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const faults: unknown[] = [];
  const run = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await work(item).catch((fault: unknown) => void faults.push(fault));
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, run));
  if (faults.length > 0) throw faults[0];
}
