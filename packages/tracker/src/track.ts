import { enqueue } from './delivery.ts';
import { address, excluded, page } from './pages.ts';

/** `vendor.track`. */
export const track: Vendor['track'] = (name, props, revenue) => {
  if (!excluded()) enqueue({ type: 'event', pageId: page?.pageId, url: address(), name, props, revenue });
};
