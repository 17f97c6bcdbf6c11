/** Page views: the load, in-app navigation, and `vendor.page()`. */
import { enqueue } from './delivery.ts';
import { leave, restartMeasuring, since } from './engagement.ts';
import { ask } from './policy.ts';
import { dataset } from './script.ts';
import { uuid } from './uuid.ts';
import type { PageView } from './wire.ts';

/** The present one. */
export let page: PageView | undefined;

/** Plain anchors are no pages of their own; `#/…` and `#!/…` are with `data-hash`. */
export const address = (): string => location.href.replace('hash' in dataset ? /#(?!!?\/).*/ : /#.*/, '');

/** A later view on the same document came from the one before it, so that it never looks like a new visit. */
export const view = (): void => {
  leave();
  restartMeasuring(since);
  page = {
    id: uuid(),
    type: 'pageview',
    pageId: uuid(),
    url: address(),
    referrer: page ? page.url : document.referrer,
  };
  enqueue(page);
  ask();
};

/** The address may have changed. */
export const navigated = (): void => {
  if (page && page.url !== address()) view();
};
