import type { Sql } from '../db.ts';

/** A queue message that can't be stored, and why, in words for the operator. */
export interface DeadLetter {
  body: unknown;
  reason: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function siteOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('siteId' in body)) return undefined;
  return typeof body.siteId === 'string' && UUID.test(body.siteId) ? body.siteId : undefined;
}

/** Keeps messages in `dead_letters`, each once however often it is delivered. One statement. */
export async function bury(sql: Sql, letters: readonly DeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  // JSON in JSON: a NUL or a lone surrogate in a body is an escape of an escape, which the database takes.
  const rows = letters.map(({ body, reason }) => ({
    siteId: siteOf(body),
    reason,
    message: JSON.stringify(body) ?? 'undefined',
  }));
  await sql`
    insert into dead_letters (site_id, reason, message)
    select "siteId", reason, message
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("siteId" uuid, reason text, message text)
    on conflict do nothing`;
}
