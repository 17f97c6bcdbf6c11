import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../../tooling/deployment.ts';
import type { Answer, Job } from './test-runner.ts';

/** A process of test-runner.ts, with the processes that it starts. */
export class RunnerProcess {
  #child: ChildProcess | undefined;
  #isClosed = false;

  /** The answer; undefined: it took longer than `seconds`, or the process ended by itself. The next job starts a new process then. */
  async ask<T extends Answer>(job: Job, seconds: number): Promise<T | undefined> {
    // Whoever closed it ends this program.
    if (this.#isClosed) return new Promise(() => {});
    if (this.#child === undefined && (await nextMessage(this.#start())) === undefined)
      throw new Error('The process that runs tests did not start.');
    const answer = await nextMessage(this.#child, job, seconds);
    if (answer === undefined) this.#kill();
    return answer as T | undefined;
  }

  /** Ends the process and its workers, for good. */
  close(): void {
    this.#isClosed = true;
    this.#kill();
  }

  #start(): ChildProcess {
    // A process group of its own, so that its workers end with it.
    this.#child = fork(join(ROOT, 'tests/mutants/test-runner.ts'), {
      ...{ cwd: ROOT, detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    });
    return this.#child;
  }

  #kill(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // They have ended by themselves.
    }
  }
}

/** Sends the job, and waits for what the process says next. Undefined: it ended, or `seconds` are over. */
async function nextMessage(child: ChildProcess | undefined, job?: Job, seconds = 300): Promise<unknown> {
  if (child === undefined) return undefined;
  const waiting = new AbortController();
  const { signal } = waiting;
  const timer = setTimeout(() => waiting.abort(), seconds * 1000);
  const message = once(child, 'message', { signal });
  const exit = once(child, 'exit', { signal });
  if (job !== undefined) child.send(job);
  try {
    return await Promise.race([message.then(([said]) => said), exit.then(() => undefined)]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    waiting.abort();
    await Promise.allSettled([message, exit]);
  }
}
