import { safe } from '../safe.ts';
import { page, track } from './vendor-calls.ts';

interface Options {
  props?: VendorProps;
  revenue?: VendorRevenue;
  interactive?: boolean;
  /** The address in place of the page's. */
  u?: string;
  callback?: () => void;
}

/** `plausible(name, options)`. Pages wait for the callback: it is called whatever becomes of the event. */
export const plausible = safe(
  (name: string, { props, revenue, interactive, u: url, callback }: Options = {}) => {
    const options = { ...(url && { url }), ...(interactive === false && { interactive }) };
    if (name === 'pageview') page({ ...options, ...(props && { props }) });
    else track(name, props, revenue, options);
    if (callback) setTimeout(callback);
  },
);
