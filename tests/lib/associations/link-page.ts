/** A visit whose last page reported a trace, of an environment whose origin is tied to the site. */
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { TrackMessage } from '../../../lib/collection/track-message.ts';
import type { Sql } from '../../../lib/db.ts';

interface Linked {
  environmentId: string;
  siteId: string;
  traceId: string;
  /** When the page's word came. */
  at: number;
  /** The paths of the visit, the last of which asked. */
  pages: readonly string[];
}

const API = 'https://api.example.com';

export async function linkPage(
  sql: Sql,
  { environmentId, siteId, traceId, at, pages }: Linked,
): Promise<void> {
  await sql`
    insert into environment_origins (environment_id, origin) values (${environmentId}, ${API}) on conflict do nothing`;
  const ids = pages.map(() => crypto.randomUUID());
  const message: TrackMessage = {
    ...{ version: 1, siteId, tier: 3, visitorId: crypto.randomUUID(), continued: false },
    events: [
      ...pages.map((path, n) => ({
        ...{ type: 'pageview' as const, id: crypto.randomUUID(), pageId: ids[n] as string },
        ...{ at: at - 60_000 * (pages.length - n), hostname: 'example.com', path, entry: n === 0 },
        ...(n === 0 && { source: 'Google' }),
      })),
      {
        ...{ type: 'association', id: crypto.randomUUID(), pageId: ids.at(-1) as string, at },
        ...{ traceId, origin: API, status: 201 },
      },
    ],
  };
  await foldBatch(sql, [message], Math.max(at, Date.now()));
}
