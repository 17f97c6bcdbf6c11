/** In a part with a file of its own: the functions of the core, which passes them when the part has loaded. */
import type { Core } from '../part-types.ts';

export let dataset: Core[0];
export let track: Core[1];
export let enqueue: Core[2];
export let measurable: Core[3];
export let signals: Core[4];
export let isSeenFromStart: Core[5];
export let own: Core[6];

export const connect = (core: Core): void => {
  [dataset, track, enqueue, measurable, signals, isSeenFromStart, own] = core;
  const given: unknown = isSeenFromStart;
  // Browsers keep the core of version 0.2 for some hours: it gives the moment itself.
  if (typeof given !== 'function') isSeenFromStart = () => given === 'blur';
};

/** A part in the folder of this file. As in `part-file.ts`, each site of the page has a module of its own. */
export const fileOf = (name: string): string => './' + name + '.js#' + dataset.site;
