import type { Sql } from '../db.ts';
import { idFrom } from '../id-from.ts';

/** A queue message that can't be stored, and why, in words for the operator. */
export interface DeadLetter {
  body: unknown;
  reason: string;
}

function siteOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('siteId' in body)) return undefined;
  return idFrom(body.siteId);
}

/** The id of a message's first event. Events of a message are stored together or not at all. */
function firstEventOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('events' in body) || !Array.isArray(body.events))
    return undefined;
  return idFrom(body.events[0]?.id);
}

/** The columns of a letter, and the id by which one sees whether its events are stored. */
export const letterRow = ({ body, reason }: DeadLetter) => ({
  siteId: siteOf(body),
  eventId: firstEventOf(body),
  reason,
  message: JSON.stringify(body) ?? 'undefined',
});

/**
 * Keeps messages in `dead_letters`, each once however often it is delivered, but those whose events are stored: a fold may have ended
 * well although nobody heard of it. One statement; a probe of the primary key of `events` for each message.
 */
export async function bury(sql: Sql, letters: readonly DeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  // JSON in JSON: a NUL or a lone surrogate in a body is an escape of an escape, which the database takes.
  const rows = letters.map(letterRow);
  await sql`
    insert into dead_letters (site_id, reason, message)
    select "siteId", reason, message
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("siteId" uuid, "eventId" uuid, reason text, message text)
    where not exists (
      select from sites join events on events.site_key = sites.key
      where sites.id = r."siteId" and events.event_id = r."eventId")
    on conflict do nothing`;
}
