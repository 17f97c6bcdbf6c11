/** In a part with a file of its own: the functions of the core, which passes them when the part has loaded. */
import type { Core, Signals } from '../part-types.ts';

export let dataset: Core[0];
export let track: Core[1];
export let enqueue: Core[2];
export let measurable: Core[3];
export let signals: Signals;
export let started: Core[5];
export let own: Core[6];

export const connect = (core: Core): unknown =>
  ([dataset, track, enqueue, measurable, signals, started, own] = core as [...Core] & { 4: Signals });
