import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from '../lib/db.ts';

const POLL_MS = 50;
const PATIENCE_MS = 60_000;

/** A site whose policy needs decisions: visitors from some countries are asked for consent. */
export async function createTrackedSite(sql: Sql): Promise<string> {
  const rows = await sql`
    with p as (insert into projects (name) values ('bench') returning id)
    insert into sites (project_id, domain, name, jurisdiction, consent_mode, pre_consent_tier, retention_months)
    select id, 'example.com', 'bench', 'US', 'regional', 'sessions', 25 from p
    returning id`;
  return (rows[0] as { id: string }).id;
}

/** Resolves with the number of a site's stored events as soon as it reaches `count`. Throws if it doesn't. */
export async function awaitStored(sql: Sql, siteId: string, count: number): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const stored = await countStored(sql, siteId);
    if (stored >= count) return stored;
    if (performance.now() - startedAt > PATIENCE_MS) {
      throw new Error(`${count - stored} accepted page views were not stored within a minute`);
    }
    await wait(POLL_MS);
  }
}

async function countStored(sql: Sql, siteId: string): Promise<number> {
  const rows = await sql`
    select count(*)::int as count from events e join sites s on s.key = e.site_key where s.id = ${siteId}`;
  return (rows[0] as { count: number }).count;
}
