/** What isn't sent to a page that doesn't ask for it. */
import { enqueue } from './delivery.ts';
import { page } from './pages.ts';
import { tier } from './policy.ts';
import { dataset, src } from './script.ts';
import { type Part, signals } from './signals.ts';
import { track } from './track.ts';

/** Addresses of the parts that were asked for: each once. */
const parts: Partial<Record<'links' | 'measure', string>> = {};

/** From the folder that the script came from, under its own name: behind a proxy it is the proxy's. */
export const load = async (name: keyof typeof parts): Promise<void> => {
  try {
    if (!parts[name]) {
      parts[name] = new URL(name + '.js', src) + '';
      // An import holds the page's load event back while it is under way; from the cache it takes no time.
      await fetch(parts[name]);
      const part: { default: Part } = await import(parts[name]);
      part.default(signals, dataset, track, enqueue, () => tier === 3 && page);
    }
  } catch {}
};

/** Whether clicks are of interest, now. If so, what knows them is on its way. */
export const watched = (): unknown =>
  tier !== 0 &&
  document.querySelector('[data-outbound],[data-downloads],[data-forms],[data-vendor-event]') &&
  load('links');
