import type { DeliveryBindings } from '../../lib/http/deliver.ts';

/** The bindings of the track function, besides its variables. */
export interface Bindings extends DeliveryBindings {
  /** The entrypoint `Policies` of `sites`. */
  SITES: { fetch(url: string, init: RequestInit): Promise<Response> };
}
