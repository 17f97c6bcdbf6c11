import { enqueue } from './delivery.ts';
import { address } from './page-views.ts';

/** `vendor.track`. */
export const track: Vendor['track'] = (name, props, revenue, options) =>
  enqueue({ type: 'event', url: address(), props, revenue, name, ...options });
