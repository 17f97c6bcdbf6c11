/** Page views: the load, in-app navigation, and `vendor.page()`. */
import { ask, enqueue, flush, started, tier } from './delivery.ts';
import { own } from './own.ts';
import { dataset } from './script-tag.ts';
import type { PageView } from './wire.ts';

/** The present page view; none on an excluded page. */
export let page: PageView | undefined;
let referrer: string = own('referrer');

/** The page's address. Plain anchors aren't pages; with `data-hash`, `#/…` and `#!/…` are. */
export const address = (): string => location.href.split('hash' in dataset ? /#(?![!/])/ : '#')[0] as string;

/** Path and route tell pages apart; the query may change on a page. */
const path = (): string => location.pathname + address().split('#')[1];
let place: string;

/** The referrer of a later view of the same document is the view before, so it never looks like a new visit. */
export const view: Vendor['page'] = (options) => {
  if (started) flush('pageview');
  place = path();
  page = { ...options, type: 'pageview', referrer, url: (referrer = options?.url || address()) };
  enqueue(page);
  ask();
};

/** Called when the address may have changed. */
export const navigated = (event?: unknown): void => {
  if ((event as PageTransitionEvent | undefined)?.persisted || place !== path()) view();
};

/** The page view that may be measured now; none below tier 3. */
export const measurable = (): PageView | false | undefined => (tier as number) > 2 && page;
