/** Page views: the load, in-app navigation, and `vendor.page()`. */
import { openPage } from './delivery.ts';
import { own } from './own.ts';
import { safe } from './safe.ts';
import { dataset } from './script-tag.ts';

/** The route of a hash-routed app. Plain anchors aren't pages; with `data-hash`, `#/…` and `#!/…` are. */
const route = (): string => ('hash' in dataset && /^#!?\//.test(location.hash) ? location.hash : '');

/** Path and route tell pages apart; a query may change on a page, that of the route too. */
const path = (): string => location.pathname + route().split('?')[0];

/** The page's address. Of a value the service keeps 128 characters, and it takes 8,192 of an address: the longest values are left out. */
export const address = (): string => (location.href.split('#')[0] + route()).replace(/=[^?&#]{999,}/g, '');

let referrer: string | undefined;
let shownPath: string | undefined;

/** The referrer of a later view of the same document is the view before, so it never looks like a new visit. */
export const view: Vendor['page'] = safe((options) => {
  shownPath = path();
  const url = options?.url || address();
  openPage({ ...options, type: 'pageview', referrer: referrer ?? own('referrer'), url });
  referrer = url;
});

/** Called when the address may have changed. */
export const navigated = safe((event?: Event): void => {
  if ((event as PageTransitionEvent | undefined)?.persisted || shownPath !== path()) view();
});
