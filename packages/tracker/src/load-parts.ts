/** Loads the parts that a page needs. */
import { own } from './own.ts';
import { load } from './part-file.ts';
import type { Click, Send, Signals } from './part-types.ts';
import { attributes } from './script-tag.ts';

const MAX_CLICKS = 50;

const needsClicks = (): unknown =>
  /outbound|downloads|forms/.test(attributes) || own('querySelector').call(document, '[data-vendor-event]');

const clicks: Click[] = [];

/** Keeps clicks until their part has loaded. */
export const signals: Signals = {
  clicks,
  click: (...click) => {
    if (clicks.length < MAX_CLICKS && needsClicks()) clicks.push(click);
  },
};

/** Called at each moment of a page that is seen. */
export const loadNeeded = (isConsented: boolean): void => {
  if (isConsented) load('measure');
  if (needsClicks()) load('links');
};

/** `fetch`, or what takes its place where an attribute asks for it. Without that part nothing is sent. */
export let sender: Send | Promise<Send>;

export const chooseSender = (): void => {
  sender = /exclude|beforeSend|callbacks|debug|prop[A-Z-]/.test(attributes)
    ? (load('guard') as Promise<Send>)
    : self.fetch;
};
