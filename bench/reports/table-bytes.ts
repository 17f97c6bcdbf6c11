import type { Sql } from '../../lib/db.ts';

/** Bytes by purpose, tables with their indexes. */
export interface Bytes {
  visits: number;
  dictionaries: number;
  rollups: number;
  /** Raw events, which are stored for two days. */
  raw: number;
  /** All other growth: tables that are missing in this list. */
  other: number;
}

/** Measures the sizes of the service's tables. Subtract an earlier measurement. */
export async function measureBytes(sql: Sql): Promise<Bytes> {
  const [row] = await sql`
    select
      coalesce(sum(bytes) filter (where use = 'visits'), 0)::float8 as visits,
      coalesce(sum(bytes) filter (where use = 'dictionaries'), 0)::float8 as dictionaries,
      coalesce(sum(bytes) filter (where use = 'rollups'), 0)::float8 as rollups,
      coalesce(sum(bytes) filter (where use = 'raw'), 0)::float8 as raw,
      coalesce(sum(bytes) filter (where use = 'other'), 0)::float8 as other
    from (
      select pg_total_relation_size(oid) as bytes, case
        when relname like 'visits%' then 'visits'
        when relname like 'events%' then 'raw'
        when relname in ('site_texts', 'site_profiles', 'site_places', 'site_origins') then 'dictionaries'
        when relname ~ '^(rollup_|sealed_|dropped_|site_freshness)' then 'rollups'
        else 'other' end as use
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    ) t`;
  return row as Bytes;
}

export const lessBytes = (bytes: Bytes, before: Bytes): Bytes => ({
  visits: bytes.visits - before.visits,
  dictionaries: bytes.dictionaries - before.dictionaries,
  rollups: bytes.rollups - before.rollups,
  raw: bytes.raw - before.raw,
  other: bytes.other - before.other,
});

/** Everything that is stored for more than two days. */
export const keptBytes = ({ visits, dictionaries, rollups, other }: Bytes): number =>
  visits + dictionaries + rollups + other;
