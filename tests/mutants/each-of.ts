/** Gives each of the things to the next worker that is free. */
export async function eachOf<Thing, Worker>(
  things: readonly Thing[],
  workers: readonly Worker[],
  work: (thing: Thing, worker: Worker) => Promise<void>,
): Promise<void> {
  const queue = [...things];
  await Promise.all(
    workers.map(async (worker) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next, worker);
    }),
  );
}

/** Prints a line over the last one, where there is a terminal. */
export const progress = (line: string): void =>
  void process.stdout.write(process.stdout.isTTY ? `\r${line}   ` : `${line}\n`);
