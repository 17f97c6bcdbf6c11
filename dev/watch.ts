import { watch } from 'node:fs';

const QUIET_MS = 150;

/** Calls `onChange` after source files in the folders have changed and then stayed quiet; never twice at once. */
export function watchSources(folders: string[], onChange: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, name) => {
      if (name === null || !/\.(ts|json|js)$/.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = running.then(onChange);
      }, QUIET_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
