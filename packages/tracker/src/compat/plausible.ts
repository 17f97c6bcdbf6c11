import { safe } from '../safe.ts';
import { page, track } from './vendor-calls.ts';

interface Options {
  props?: VendorProps;
  revenue?: VendorRevenue;
  interactive?: boolean;
  /** The address instead of the page's. */
  u?: string;
  callback?: () => void;
}

type Plausible = {
  (name: string, options?: Options): void;
  /** For snippets that configure the tool: does nothing. */
  init?: () => void;
};

/** `plausible(name, options)`. Pages wait for the callback: it is called whatever becomes of the event. */
export const plausible: Plausible = safe(
  (name: string, { props, revenue, interactive, u: url, callback }: Options = {}) => {
    if (name === 'pageview') page({ props, url } as VendorPage);
    else track(name, props, revenue, { interactive, url } as VendorEvent);
    if (callback) setTimeout(callback);
  },
);
