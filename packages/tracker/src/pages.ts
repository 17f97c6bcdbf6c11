/** Page views: the load, in-app navigation, and `vendor.page()`. */
import { enqueue, flush } from './delivery.ts';
import { ask } from './policy.ts';
import { dataset } from './script.ts';
import { uuid } from './uuid.ts';
import type { PageView } from './wire.ts';

/** The present one; none on an excluded page. */
export let page: PageView | undefined;
let last: string | undefined;
let { referrer } = document;

/** Plain anchors are no pages of their own; `#/…` and `#!/…` are with `data-hash`. */
export const address = (): string => location.href.replace('hash' in dataset ? /#(?!!?\/).*/ : /#.*/, '');

/** `data-exclude`: whole paths, with commas between; `*` stands for anything. */
export const excluded = (): boolean | '' | undefined =>
  dataset.exclude &&
  RegExp(`//[^/]+(${dataset.exclude.replace(/, */g, '|').replace(/[*]/g, '.*')})(\\?|$)`).test(address());

/** A later view on the same document came from the one before it, so that it never looks like a new visit. */
export const view = (): void => {
  flush(0);
  page = undefined;
  last = address();
  if (!excluded()) {
    page = { type: 'pageview', pageId: uuid(), url: last, referrer };
    referrer = last;
    enqueue(page);
    ask();
  }
};

/** The address may have changed. */
export const navigated = (): void => {
  if (last !== address()) view();
};
