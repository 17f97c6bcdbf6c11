/**
 * The file `compat.js`: a snippet of Plausible or Umami goes on with this script in its `src`. It loads the tracker for the site that the
 * snippet names, and takes the calls of both. The tracker's part for clicks takes their classes and attributes.
 */
import { own } from '../own.ts';
import { plausible } from './plausible.ts';
import { umami } from './umami.ts';

/** Attributes for the tracker. Plausible's properties of page views begin with `event-`; two mean something else in their tools. */
const TAKEN = /^(data|event)-(?!api$|before-send$)/;

const { src, nonce, dataset, attributes } = (own('currentScript') ??
  own('querySelector').call(document, 'script[data-domain],[data-website-id]')) as HTMLScriptElement;

/** A tracker beside this file. */
const loadTracker = (site: string): void => {
  const script = own('createElement').call(document, 'script') as HTMLScriptElement;
  for (const { name, value } of attributes)
    if (TAKEN.test(name)) script.setAttribute(name.replace(/^event/, 'data-prop'), value);
  // Their classes and attributes are events.
  script.dataset.peers = '';
  if (dataset.autoTrack === 'false') script.dataset.manual = '';
  script.dataset.site = site.trim();
  script.nonce = nonce;
  script.src = new URL('tracker.js', src).href;
  own('head').append(script);
};

/** The queue of the snippet. */
const earlier = Object.hasOwn(self, 'plausible') && self.plausible;
plausible.init = () => {};
self.plausible = plausible;
self.umami = umami;
for (const given of (earlier as Window['plausible'])?.q ?? []) plausible(...given);
if ((dataset.domains || location.hostname).split(',').includes(location.hostname))
  (dataset.domain ?? dataset.websiteId ?? '').split(',').map(loadTracker);
