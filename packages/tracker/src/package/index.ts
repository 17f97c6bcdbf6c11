/** `@vendor/tracker`: the browser script for bundlers. */
import type * as api from '../../index.d.ts';
import { configure } from './settings.ts';

/** The value as the script's attribute has it: empty for `true`, absent for nothing. */
const attribute = (value: boolean | readonly string[] | undefined): string | undefined => {
  if (value === true) return '';
  return value ? value.join(',') : undefined;
};

/** The page's tracker, or the queue that holds calls until it is loaded; undefined on a server. An element of that name is neither. */
const vendor = (): Vendor | undefined => {
  if (typeof document === 'undefined') return undefined;
  if (!Object.hasOwn(window, 'vendor') || !window.vendor?.track) {
    const q: VendorCall[] = [];
    window.vendor = {
      q,
      consent: (...args) => void q.push(['consent', ...args]),
      track: (...args) => void q.push(['track', ...args]),
      page: (...args) => void q.push(['page', ...args]),
      visitorId: () => undefined,
    };
  }
  return window.vendor;
};

export const init: typeof api.init = ({ site, api, props = {}, beforeSend, ...settings }) => {
  // Without a queue a tracker is already running, and a page has only one.
  if (!vendor()?.q) return;
  const { manual, hash, outbound, downloads, forms, exclude, excludeSelf, callbacks, debug } = settings;
  const { origins, propagate } = settings;
  const attributes = {
    site,
    api,
    // The function itself, instead of its name.
    beforeSend: beforeSend as unknown as string | undefined,
    manual: attribute(manual),
    hash: attribute(hash),
    outbound: attribute(outbound),
    downloads: attribute(downloads),
    forms: attribute(forms),
    exclude: attribute(exclude),
    excludeSelf: attribute(excludeSelf),
    callbacks: attribute(callbacks),
    debug: attribute(debug),
    origins: attribute(origins),
    propagate: attribute(propagate),
    ...Object.fromEntries(Object.entries(props).map(([key, value]) => [`prop-${key}`, value])),
  };
  configure(Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)), api);
  import('../main.ts').catch(() => {});
};

export const consent: typeof api.consent = (value) => vendor()?.consent(value);

export const track: typeof api.track = (...args) => vendor()?.track(...args);

export const page: typeof api.page = (...args) => vendor()?.page(...args);

export const ignore: typeof api.ignore = (...args) => vendor()?.ignore?.(...args);

export const visitorId: typeof api.visitorId = () => vendor()?.visitorId();
