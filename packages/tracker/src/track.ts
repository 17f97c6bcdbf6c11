import { enqueue } from './delivery.ts';
import { address } from './page-views.ts';
import { safe } from './safe.ts';

/** `vendor.track`. */
export const track: Vendor['track'] = safe((name, props, revenue, options) =>
  enqueue({ type: 'event', props, revenue, name, ...options, url: options?.url || address() }),
);
