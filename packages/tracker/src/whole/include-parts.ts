/** Replaces `../load-parts.ts` in the script that includes most parts. */
import { enqueue, started } from '../delivery.ts';
import { own } from '../own.ts';
import { measurable } from '../page-views.ts';
import type { Part, Send, Signals } from '../part-types.ts';
import { measureScroll, seeMoment } from '../parts/measure.ts';
import { dataset, src } from '../script-tag.ts';
import { track } from '../track.ts';

export { seeClick as clicked } from '../parts/links.ts';
export const signals: Pick<Signals, 'see' | string> = { see: seeMoment };
export const watched = (): void => {};

export const load = (name: unknown): Promise<unknown> =>
  fetch((name = new URL(name + '.js', src)) as URL)
    .then((): Promise<{ default: Part }> => import(name as string))
    .then((part) => part.default(dataset, track, enqueue, measurable, signals, started, own))
    .catch(() => {});

export const measure = (): void => {
  measureScroll();
  if ('origins' in dataset) signals.association ??= load('association');
};

export const send = (/c|ug|S|op/.test(Object.keys(dataset) as unknown as string) ? load('guard') : fetch) as
  | Send
  | Promise<Send>;
