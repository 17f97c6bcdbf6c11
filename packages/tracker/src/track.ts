import { enqueue } from './delivery.ts';
import { address } from './page-views.ts';

/** `vendor.track`. */
export const track: Vendor['track'] = (name, props, revenue) =>
  enqueue({ type: 'event', url: address(), revenue, name, props });
