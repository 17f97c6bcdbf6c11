/** What stands for the page view of a custom event at tier 1, where nothing may tie events together. */
import { toUuid } from '../privacy/visitor.ts';
import type { TrackEvent } from './track-request.ts';

const encoder = new TextEncoder();

/**
 * A digest of page view and name, in uuid form, for each event that names its page view, by the event's id. Equal digests say that the page
 * view sent an event of this name before. They say nothing of the page view, and are different for other names.
 */
export async function digestPages(events: readonly TrackEvent[]): Promise<Map<string, string>> {
  const digests = events.flatMap((event) =>
    event.type === 'event' && event.pageId !== undefined
      ? [digest(`${event.pageId.toLowerCase()} ${event.name}`).then((page) => [event.id, page] as const)]
      : [],
  );
  return new Map(await Promise.all(digests));
}

const digest = async (text: string): Promise<string> =>
  toUuid(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
