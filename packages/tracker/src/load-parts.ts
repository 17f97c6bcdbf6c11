/** Loads the parts that a page needs. */
import { enqueue, started } from './delivery.ts';
import { own } from './own.ts';
import { measurable } from './page-views.ts';
import type { Click, Part, Send, Signals } from './part-types.ts';
import { dataset, src } from './script-tag.ts';
import { track } from './track.ts';

/** Keeps clicks until the part that handles them has loaded, and the parts by their names, so that each is loaded once. */
export const signals = [] as (Click[0] | Click[1])[] as unknown as Signals;

/** The script's attributes by their names, as a text that expressions search. */
const attributes = Object.keys(dataset) as unknown as string;

/** Loads from the script's own folder, under the script's name, so that a proxy serves the parts too. Resolves to what the part returns. */
export const load = (name: unknown): Promise<unknown> =>
  // An import delays the page's load event until it is done; from the cache it takes no time.
  (signals[name as string] ||= fetch((name = new URL(name + '.js', src)) as URL)
    .then((): Promise<{ default: Part }> => import(name as string))
    .then((part) => part.default(dataset, track, enqueue, measurable, signals, started, own))
    .catch(measurable)) as Promise<unknown>;

/** Whether clicks are needed now. If so, their part is being loaded. */
export const watched = (): unknown =>
  started &&
  // `data-forms`, `data-downloads` and `data-outbound` have an o. So have two of the guard's: their pages load this part too.
  own('querySelector').call(document, /o/.test(attributes) ? '*' : '[data-vendor-event]') &&
  load('links');

/** Something was clicked or submitted. If the part never loads, the page must not keep every click. */
export const clicked = (event: Event): void => {
  if (!signals[99] && watched()) signals.push(event, event.composedPath());
};

/** Called when tier 3 is reached. */
export const measure = (): unknown => load('measure');

/**
 * Takes the place of `fetch` with `data-exclude…`, `data-callbacks`, `data-debug`, `data-before-send` and `data-prop-…`.
 * Without the part nothing is sent.
 */
export const send = (/c|ug|S|op/.test(attributes) ? load('guard') : fetch) as Send | Promise<Send>;
