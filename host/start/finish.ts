/** What a process has under way when it is told to end may take so long. */
export const FINISH_MS = 10_000;

export const log = (line: string): void => console.log(line);

/** Runs `finish` once, on SIGTERM, SIGINT or SIGHUP, and then ends this process; at the deadline it ends anyway. */
export function finishOnSignal(finish: () => Promise<void>): void {
  let isFinishing = false;
  const run = async (): Promise<void> => {
    if (isFinishing) return;
    isFinishing = true;
    setTimeout(() => process.exit(1), FINISH_MS + 2_000).unref();
    try {
      await finish();
      process.exit(0);
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void run());
}
