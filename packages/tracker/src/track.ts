import { enqueue } from './delivery.ts';
import { address, excluded } from './page-views.ts';

/** `vendor.track`. */
export const track: Vendor['track'] = (name, props, revenue) => {
  if (!excluded()) enqueue({ type: 'event', revenue, name, props, url: address() });
};
