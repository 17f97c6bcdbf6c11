/** Programs that Miniflare starts end with this process, also when it is killed: without it workerd answers, and stores nothing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { basename } from 'node:path';

const watched = new Set<string>();

/** From now on, each child of this process that runs a program of this name is killed when this process is gone. */
export function endWithParent(program: string): void {
  if (watched.size === 0)
    subscribe('child_process', (message) => watch((message as { process: ChildProcess }).process));
  watched.add(program);
}

/** Node.js tells of a child before it runs. */
function watch(child: ChildProcess): void {
  child.once('spawn', () => {
    if (child.pid === undefined || !watched.has(basename(child.spawnfile))) return;
    // Its input ends with this process. A process group of its own keeps Ctrl-C away from it.
    const watcher = spawn('sh', ['-c', 'cat; kill -KILL "$0"', String(child.pid)], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    watcher.on('error', () => {});
    watcher.stdin.on('error', () => {});
    watcher.unref();
    (watcher.stdin as Socket).unref();
    child.once('exit', () => watcher.kill('SIGKILL'));
  });
}
