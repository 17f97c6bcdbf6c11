/**
 * The file `compat.js`: a snippet of Plausible or Umami goes on with this script in its `src`. It loads the tracker for the site that the
 * snippet names, and takes the calls, classes and attributes of both.
 */
import { listen } from '../listen.ts';
import { own } from '../own.ts';
import { plausible } from './plausible.ts';
import { reportTagged } from './tagged.ts';
import { umami } from './umami.ts';

/** Attributes that mean the same to the tracker. */
const SHARED = /^(exclude|hash|manual|outbound|downloads|forms|debug|prop.*)$/;

const { src, nonce, dataset, attributes } = (own('currentScript') ??
  own('querySelector').call(document, 'script[data-domain],script[data-website-id]')) as HTMLScriptElement;

/** A tracker beside this file. */
const loadTracker = (site: string): void => {
  const script = own('createElement').call(document, 'script') as HTMLScriptElement;
  script.src = new URL('tracker.js', src).href;
  script.nonce = nonce;
  for (const [name, value] of Object.entries(dataset)) if (SHARED.test(name)) script.dataset[name] = value;
  // Plausible's properties of page views.
  for (const { name, value } of attributes)
    if (name.startsWith('event-')) script.setAttribute('data-prop-' + name.slice(6), value);
  if (dataset.autoTrack === 'false') script.dataset.manual = '';
  script.dataset.site = site.trim();
  own('head').append(script);
};

const earlier = Object.hasOwn(self, 'plausible') ? self.plausible : undefined;
self.plausible = Object.assign(plausible, { init: () => {} });
self.umami = umami;
for (const given of earlier?.q ?? []) plausible(...given);
listen('click,auxclick,submit', reportTagged, true);
if (!dataset.domains || dataset.domains.split(',').includes(location.hostname))
  (dataset.domain ?? dataset.websiteId ?? '').split(',').map(loadTracker);
