/** Loads the parts that a page needs. */
import { enqueue, started, tier } from './delivery.ts';
import { measurable } from './page-views.ts';
import type { Click, Part, SeeMoment, Signals } from './part-types.ts';
import { dataset, src } from './script-tag.ts';
import { track } from './track.ts';

/** Keeps clicks until the part that handles them has loaded. */
const signals: Signals = [] as (Click[0] | Click[1])[];
/** Addresses of the parts that were requested, each once. */
const asked: Partial<Record<'links' | 'measure', string>> = {};

/** Loads from the script's own folder, under the script's name, so that a proxy serves the parts too. */
const load = async (name: keyof typeof asked): Promise<void> => {
  try {
    if (!asked[name]) {
      asked[name] = new URL(name + '.js', src) + '';
      // An import delays the page's load event until it is done; from the cache it takes no time.
      await fetch(asked[name]);
      const part: { default: Part } = await import(asked[name]);
      part.default(dataset, track, enqueue, measurable, signals, started);
    }
  } catch {}
};

/** Whether clicks are needed now. If so, their part is being loaded. */
const watched = (): unknown =>
  started &&
  tier !== 0 &&
  document.querySelector('[data-outbound],[data-downloads],[data-forms],[data-vendor-event]') &&
  load('links');

/** Something was clicked or submitted. If the part never loads, the page must not keep every click. */
export const clicked = (event: Event): void => {
  if (watched() && !signals[99]) signals.push(event, event.composedPath());
};

export const notice: SeeMoment = (moment) => {
  signals.see?.(moment);
  watched();
};

/** Called when tier 3 is reached. */
export const measure = (): unknown => load('measure');
