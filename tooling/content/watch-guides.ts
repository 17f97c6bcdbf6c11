import { join } from 'node:path';
import { watchSources } from '../watch-sources.ts';

/** Files that don't begin with a dot, as editors' own do; and folders. */
const WATCHED = /(^|[\\/])[^.\\/][^\\/]*$/;

/**
 * Calls `publish`, which must not throw, now and after each change under `guides/` of a content folder, never twice at
 * once. Returns what stops that, after a call that has begun.
 */
export function watchGuides(root: string, publish: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  const publishNext = (): Promise<void> => {
    last = last.then(publish);
    return last;
  };
  const stopWatching = watchSources([join(root, 'guides')], publishNext, WATCHED);
  void publishNext();
  return async () => {
    stopWatching();
    await last;
  };
}
