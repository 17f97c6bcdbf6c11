/** Replaces `../load-parts.ts` in the script that includes most parts. */
import { load } from '../part-file.ts';
import type { SeeClick, Send, Signals } from '../part-types.ts';
import { seeClick } from '../parts/links.ts';
import { measureScroll, seeMoment } from '../parts/measure.ts';
import { attributes } from '../script-tag.ts';

export const signals: Signals = { see: seeMoment };

export const withLinks = (report: (see: SeeClick) => void): void => report(seeClick);

let measuring = false;

export const loadNeeded = (isConsented: boolean): void => {
  if (!isConsented || measuring) return;
  measuring = true;
  measureScroll();
  if (/origins/.test(attributes)) load('association');
};

export let sender: Send | Promise<Send>;

export const chooseSender = (): void => {
  sender = /exclude|beforeSend|callbacks|debug|prop[A-Z-]/.test(attributes)
    ? (load('guard') as Promise<Send>)
    : self.fetch;
};
