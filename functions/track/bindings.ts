import type { DeliveryBindings } from '../../lib/http/deliver.ts';

/** What the runtime hands to the track function beside its variables. */
export interface Bindings extends DeliveryBindings {
  /** The sites function, past its public routes. */
  SITES: { fetch(url: string, init: RequestInit): Promise<Response> };
}
