import { watch } from 'node:fs';

const QUIET_MS = 150;

const SOURCES = /\.(ts|json|js)$/;

/** Calls `onChange` after files of such names in the folders have changed and then stayed quiet; never twice at once. */
export function watchSources(
  folders: string[],
  onChange: () => Promise<void>,
  names: RegExp = SOURCES,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, name) => {
      if (name === null || !names.test(name)) return;
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
