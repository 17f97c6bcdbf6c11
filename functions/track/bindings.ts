import type { DeliveryBindings } from '../../lib/http/deliver.ts';

/** The bindings of the track function, besides its variables. */
export interface Bindings extends DeliveryBindings {
  /** The sites function, for routes that aren't public. */
  SITES: { fetch(url: string, init: RequestInit): Promise<Response> };
}
