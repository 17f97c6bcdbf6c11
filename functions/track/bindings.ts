import type { TrackMessage } from '../../lib/visits/message.ts';

/** What the runtime hands to the track function beside its variables. */
export interface Bindings {
  /** The queue that `ingest` consumes. */
  EVENTS: { send(message: TrackMessage, options: { contentType: 'json' }): Promise<unknown> };
  /** The sites function, past its public routes. */
  SITES: { fetch(url: string, init: RequestInit): Promise<Response> };
}
