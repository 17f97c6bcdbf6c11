/** Loads the parts that a page needs. */
import { own } from './own.ts';
import { load } from './part-file.ts';
import type { SeeClick, Send, Signals } from './part-types.ts';
import { safe } from './safe.ts';
import { attributes } from './script-tag.ts';

export const signals: Signals = {};

/** The part for clicks, if the page needs it; its promise gives nothing where it doesn't load. */
let links: Promise<SeeClick> | undefined;

/** Calls with what reports clicks, as soon as it is there. */
export const withLinks = (report: (seeClick: SeeClick) => void): unknown => links?.then(safe(report));

/** Called at each moment of a page that is seen. */
export const loadNeeded = (isConsented: boolean): void => {
  if (isConsented) load('measure');
  if (
    /outbound|downloads|forms|peers/.test(attributes) ||
    own('querySelector').call(document, '[data-vendor-event]')
  )
    links = load('links') as Promise<SeeClick>;
};

/** `fetch`, or what replaces it where an attribute asks for it. Without that part nothing is sent. */
export let sender: Send | Promise<Send>;

export const chooseSender = (): void => {
  sender = /exclude|beforeSend|callbacks|debug|prop[A-Z-]/.test(attributes)
    ? (load('guard') as Promise<Send>)
    : self.fetch;
};
