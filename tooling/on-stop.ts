const PARENT_CHECK_MS = 1000;

/** Runs `stop` once, on Ctrl-C, SIGTERM, SIGHUP or the end of the parent process, and then ends this process. */
export function onStop(stop: () => Promise<void>): void {
  const parent = process.ppid;
  let stopping = false;
  const run = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    try {
      await stop();
      process.exit(0);
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Miniflare's own listeners would end the process at once, with the database still open.
    process.removeAllListeners(signal);
    process.on(signal, run);
  }
  setInterval(() => {
    if (process.ppid !== parent) void run();
  }, PARENT_CHECK_MS).unref();
}
