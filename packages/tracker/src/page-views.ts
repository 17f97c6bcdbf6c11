/** Page views: the load, in-app navigation, and `vendor.page()`. */
import { ask, enqueue, flush, started, tier } from './delivery.ts';
import { dataset } from './script-tag.ts';
import { uuid } from './uuid.ts';
import type { PageView } from './wire.ts';

/** The present page view; none on an excluded page. */
export let page: PageView | false | undefined;
let referrer = document.referrer;

/** The page's address. Plain anchors aren't pages; with `data-hash`, `#/…` and `#!/…` are. */
export const address = (): string => location.href.split('hash' in dataset ? /#(?!!?\/)/ : '#')[0] as string;

/** `data-exclude`: whole paths separated by commas; `*` stands for anything. Without the attribute it is `undefined`, which is no path. */
export const excluded = (): boolean =>
  RegExp('//[^/]+(' + dataset.exclude?.replace(/, */g, '|').replace(/[*]/g, '.*') + ')(\\?|$)').test(
    address(),
  );

/** The referrer of a later view of the same document is the view before, so it never looks like a new visit. */
export const view = (): void => {
  if (started) flush('pageview');
  page = !excluded() && { type: 'pageview', pageId: uuid(), referrer, url: (referrer = address()) };
  if (page) {
    enqueue(page);
    ask();
  }
};

/** Called when the address may have changed. */
export const navigated = (event?: unknown): void => {
  if ((event as PageTransitionEvent | undefined)?.persisted || (page as PageView).url !== address()) view();
};

/** The page view that may be measured now; none below tier 3. */
export const measurable = (): PageView | false | undefined => tier === 3 && page;
