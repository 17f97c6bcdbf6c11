import { generateDay } from '../dev/demo/generate-traffic.ts';
import type { TrackMessage } from '../lib/collection/track-message.ts';
import type { Sql } from '../lib/db.ts';

export const DAY_MS = 86_400_000;
const SEED = 7;
/** Average number of events per visit in the demo traffic. */
const EVENTS_A_VISIT = 3.5;

/** One UTC day of demo traffic with about this number of events. */
export function trafficOfDay(siteId: string, day: number, events: number): TrackMessage[] {
  return generateDay({ siteId, seed: SEED, visitsPerDay: Math.round(events / EVENTS_A_VISIT) }, day);
}

export const countEvents = (messages: readonly TrackMessage[]): number =>
  messages.reduce((sum, { events }) => sum + events.length, 0);

export interface BenchSite {
  siteId: string;
  /** A person who may see the site. */
  userId: string;
}

/** Creates a site with the demo's domain in a project of its own. */
export async function makeBenchSite(sql: Sql): Promise<BenchSite> {
  const [site] = await sql`
    with person as (insert into users (email) values (gen_random_uuid() || '@example.com') returning id),
    project as (insert into projects (name) values ('bench') returning id),
    member as (
      insert into project_members (project_id, user_id, role) select project.id, person.id, 'owner' from project, person)
    insert into sites (project_id, domain, name) select project.id, 'localhost', 'bench' from project
    returning id as "siteId", (select id from person) as "userId"`;
  return site as BenchSite;
}

/** Runs the jobs of a list, a fixed number at once, until all are done or one throws. */
export async function runAll<T>(
  jobs: readonly T[],
  atOnce: number,
  run: (job: T) => Promise<unknown>,
): Promise<void> {
  const waiting = jobs.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const job of waiting) await run(job);
    }),
  );
}

export function inBatches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  );
}
