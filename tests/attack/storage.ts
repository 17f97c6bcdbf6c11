/** Checks that only accepted data is stored. */
import { PROPERTY_LIMITS } from '../../lib/collection/track-message.ts';
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

/** A sentence for each kind of stored event that a rule of what comes in refuses (`lib/collection/track-message.ts`). */
export async function findRuleBreakers(sql: Sql): Promise<string[]> {
  const { entries, keyLength, textLength } = PROPERTY_LIMITS;
  const [row] = await sql`
    select
      count(*) filter (where props.entries > ${entries}::integer)::int as "more properties than an event may have",
      count(*) filter (where props.key_length > ${keyLength}::integer)::int as "the name of a property too long",
      count(*) filter (where props.text_length > ${textLength}::integer)::int as "the text of a property too long",
      count(*) filter (where props.is_nested)::int as "a property that is no text, number or boolean",
      count(*) filter (where length(path.value) > 1024)::int as "a path too long",
      count(*) filter (where length(name.value) > 64)::int as "a name too long"
    from events
    left join site_texts path on path.site_key = events.site_key and path.id = events.path_id
    left join site_texts name on name.site_key = events.site_key and name.id = events.name_id
    cross join lateral (
      select count(*) as entries, max(length(key)) as key_length, max(length(value #>> '{}')) as text_length,
        coalesce(bool_or(jsonb_typeof(value) not in ('string', 'number', 'boolean')), false) as is_nested
      from jsonb_each(coalesce(data -> 'props', '{}'))
    ) props
    where kind > 0`;
  return Object.entries(row ?? {}).flatMap(([rule, count]) =>
    Number(count) > 0 ? [`${count} events are stored with ${rule}`] : [],
  );
}
