/** Time for the work that a process has under way when it gets the signal to end. */
export const FINISH_MS = 10_000;
const PARENT_CHECK_MS = 500;
/** Then queue and database are closed; a busy disk takes its time. */
const CLOSE_MS = 40_000;

export const log = (line: string): void => console.log(line);

/** Runs `finish` once, on SIGTERM, SIGINT or SIGHUP, and then ends this process; at the deadline it ends anyway. */
export function finishOnSignal(finish: () => Promise<void>): void {
  let isFinishing = false;
  const run = async (): Promise<void> => {
    if (isFinishing) return;
    isFinishing = true;
    setTimeout(() => process.exit(1), FINISH_MS + CLOSE_MS).unref();
    try {
      await finish();
      process.exit(0);
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void run());
  // npm runs a shell in between, which passes no signal on: its end is one.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => process.ppid !== parent && void run(), PARENT_CHECK_MS).unref();
}
