/** Checks that only accepted data is stored. */
import type { Sql } from '../../lib/db.ts';

/** Tables that get one row per request, and the operations that insert it. */
const MADE_BY: Readonly<Record<string, readonly string[]>> = {
  sites: ['createSite'],
  projects: ['createProject', 'signUp'],
  users: ['signUp'],
  environments: ['createEnvironment', 'createProject', 'signUp'],
  ingest_keys: ['createIngestKey'],
  api_tokens: ['createApiKey'],
  query_tokens: ['createQueryToken'],
  project_invitations: ['inviteMember'],
  site_goals: ['createGoal'],
  site_funnels: ['createFunnel'],
  site_annotations: ['createAnnotation'],
  site_segments: ['createSegment'],
  site_shares: ['createShare'],
};

export type Rows = Record<string, number>;

export async function countRows(sql: Sql): Promise<Rows> {
  const [row] = await sql`
    select
      (select count(*)::int from sites) as sites, (select count(*)::int from projects) as projects,
      (select count(*)::int from users) as users, (select count(*)::int from environments) as environments,
      (select count(*)::int from ingest_keys) as ingest_keys, (select count(*)::int from api_tokens) as api_tokens,
      (select count(*)::int from query_tokens) as query_tokens, (select count(*)::int from site_goals) as site_goals,
      (select count(*)::int from project_invitations) as project_invitations,
      (select count(*)::int from site_funnels) as site_funnels, (select count(*)::int from site_annotations) as site_annotations,
      (select count(*)::int from site_segments) as site_segments,
      (select count(*)::int from site_shares) as site_shares, (select count(*)::int from dead_letters) as dead_letters`;
  return row as Rows;
}

/**
 * Compares rows with successes. `seeded` are the rows that creating the attack's tenants inserted. Deleted rows only make the check less
 * strict.
 */
export function findStoredUnaccepted(
  before: Rows,
  after: Rows,
  seeded: Rows,
  successes: ReadonlyMap<string, number>,
): string[] {
  return Object.keys(after).flatMap((table) => {
    const answered = (MADE_BY[table] ?? []).reduce((sum, id) => sum + (successes.get(id) ?? 0), 0);
    const most = (before[table] ?? 0) + (seeded[table] ?? 0) + answered;
    const found = after[table] ?? 0;
    return found > most ? [`${table} has ${found} rows, at most ${most} were accepted`] : [];
  });
}
