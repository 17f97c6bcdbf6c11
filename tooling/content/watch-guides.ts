import { join } from 'node:path';
import { watchSources } from '../watch-sources.ts';

/** Folders, and files whose names don't begin with a dot, since editors write such files for themselves. */
const WATCHED = /(^|[\\/])[^.\\/][^\\/]*$/;

/**
 * Calls `publish` now and after each change under `guides/` of a content folder, one call at a time. `publish` must not throw. Returns
 * a function that stops the watching after the current call.
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
