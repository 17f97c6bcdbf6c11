/** A site with a history for tests of reports. The test describes visits, and the fold stores them. */
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { sealVisits } from '../../../lib/collection/seal-visits.ts';
import type { DropReason, StoredEvent, TrackMessage } from '../../../lib/collection/track-message.ts';
import type { MemberContext } from '../../../lib/context.ts';
import type { Sql } from '../../../lib/db.ts';
import { createTenant } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

/** A Wednesday. */
export const NOW = '2026-06-17T15:42:10.123Z';

type Pageview = Extract<StoredEvent, { type: 'pageview' }>;
type Of = Partial<Pick<TrackMessage, 'continued' | 'country' | 'device' | 'browser'>>;

export interface World {
  siteId: string;
  sql: Sql;
  /** The context of the site's owner at this instant. */
  ctx: (now?: string) => MemberContext;
  fold: (...messages: Omit<TrackMessage, 'siteId'>[]) => Promise<void>;
}

/** Opens the database for the tests of a file. Call the result once per test: it creates a site of a new tenant. */
export function useWorlds(): (zone?: string) => Promise<World> {
  const database = useDatabase();
  return async (zone = 'UTC') => {
    const { sql } = database();
    const { siteId, userId } = await createTenant(sql);
    await sql`update sites set timezone = ${zone} where id = ${siteId}`;
    return {
      siteId,
      sql,
      ctx: (now = NOW) => ({
        sql,
        now: () => Date.parse(now),
        actor: { kind: 'session', sessionId: crypto.randomUUID(), userId },
      }),
      fold: async (...messages) => {
        const own = messages.map((message) => ({ ...message, siteId }));
        await foldBatch(sql, own, Date.parse(NOW));
      },
    };
  };
}

/** Seals what the worlds of this database have had. */
export const seal = ({ sql }: World) => sealVisits({ sql, now: () => Date.parse(NOW) }, { timeMs: 60_000 });

/** The id of the visitor with this name, the same each time. */
export function visitor(name: string): string {
  const hex = [...name].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return `00000000-0000-4000-8000-${hex.slice(0, 12).padStart(12, '0')}`;
}

const location = { hostname: 'example.com' };
const start = (at: string) => ({ id: crypto.randomUUID(), at: Date.parse(at) });

export const pageview = (at: string, path = '/', more: Partial<Pageview> = {}): StoredEvent => ({
  type: 'pageview',
  ...start(at),
  ...location,
  path,
  entry: true,
  ...more,
});
export const custom = (at: string, name = 'signup'): StoredEvent => ({
  type: 'event',
  ...start(at),
  ...location,
  path: '/',
  name,
});
export const engagement = (at: string): StoredEvent => ({
  type: 'engagement',
  ...start(at),
  pageId: crypto.randomUUID(),
  seconds: 3,
  scrollDepth: 50,
});
export const dropped = (at: string, reason: DropReason): StoredEvent => ({
  type: 'dropped',
  ...start(at),
  reason,
});

const message = (
  tier: TrackMessage['tier'],
  who: string | undefined,
  events: StoredEvent[],
  of: Of = {},
): Omit<TrackMessage, 'siteId'> => ({
  version: 1,
  tier,
  continued: false,
  ...(who !== undefined && { visitorId: visitor(who) }),
  ...of,
  events,
});

export const counts = (events: StoredEvent[], of?: Of) => message(1, undefined, events, of);
export const session = (who: string, events: StoredEvent[], of?: Of) => message(2, who, events, of);
export const consented = (who: string, events: StoredEvent[], of?: Of) => message(3, who, events, of);
export const refused = (events: StoredEvent[]) => message(0, undefined, events);
