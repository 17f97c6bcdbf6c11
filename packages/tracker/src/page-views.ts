/** Page views: the load, in-app navigation, and `vendor.page()`. */
import { openPage } from './delivery.ts';
import { own } from './own.ts';
import { dataset } from './script-tag.ts';

/** The service takes no longer address. */
const MAX_URL = 8192;
const CAMPAIGN = /\b(utm_\w+|ref|source|\w+clid)=[^&]*/g;

/** The route of a hash-routed app. Plain anchors aren't pages; with `data-hash`, `#/…` and `#!/…` are. */
const route = (): string => ('hash' in dataset && /^#!?\//.test(location.hash) ? location.hash : '');

/** Path and route tell pages apart; a query may change on a page, that of the route too. */
const path = (): string => location.pathname + route().split('?')[0];

/** The page's address. Of a query that is too long the campaign stays. */
export const address = (): string => {
  const whole = location.href.split('#')[0] + route();
  return whole.length > MAX_URL
    ? location.origin + location.pathname + '?' + location.search.match(CAMPAIGN)?.join('&')
    : whole;
};

let referrer: string | undefined;
let place: string | undefined;

/** The referrer of a later view of the same document is the view before, so it never looks like a new visit. */
export const view: Vendor['page'] = (options) => {
  place = path();
  const url = options?.url || address();
  openPage({ ...options, type: 'pageview', referrer: referrer ?? own('referrer'), url });
  referrer = url;
};

/** Called when the address may have changed. */
export const navigated = (event?: Event): void => {
  if ((event as PageTransitionEvent | undefined)?.persisted || place !== path()) view();
};
