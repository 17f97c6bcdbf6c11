/** In a part with a file of its own: the functions of the core, which passes them when the part has loaded. */
import type { Core } from '../part-types.ts';

export let dataset: Core[0];
export let track: Core[1];
export let enqueue: Core[2];
export let measurable: Core[3];
export let signals: Core[4];
export let started: Core[5];

export const connect = (...core: Core): void => {
  [dataset, track, enqueue, measurable, signals, started] = core;
};
