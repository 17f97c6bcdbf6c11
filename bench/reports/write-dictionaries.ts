import type { Sql } from '../../lib/db.ts';
import type { Statements } from './store-day.ts';

/**
 * Statements that write a site's dictionaries with all values of its visitors at each tier, numbered from 1 without gaps as the fold does. They also write
 * the tables `bench.profile_ids`, `place_ids` and `origin_ids`, which map a planned visit to these numbers. Paths are numbered by rank,
 * followed by the names of custom events.
 */
export function writeDictionaries(sql: Sql, siteKey: number): Statements {
  return [
    sql`
    insert into site_texts (site_key, id, value)
    select ${siteKey}::integer, rank, path from bench.pages
    union all
    select ${siteKey}::integer, (select max(rank) from bench.pages) + rank, name from bench.acts`,

    sql`
    create table bench.known_profiles as
    select tier, machine.rank as machine, place.rank as place, device, browser, case when tier = 3 then os end as os,
      case when tier > 1 then language end as language
    from bench.machines machine, bench.places place, generate_series(1, 3) tier`,
    sql`
    insert into site_profiles (site_key, id, value, device, browser, os, language)
    select ${siteKey}::integer, row_number() over (), profile_key(to_jsonb(d), ''), d.*
    from (select distinct device, browser, os, language from bench.known_profiles) d`,
    sql`
    create table bench.profile_ids as
    select tier, machine, place, profile.id
    from bench.known_profiles known
    join site_profiles profile on profile.site_key = ${siteKey}
      and profile.value = profile_key(to_jsonb(known), '')`,

    sql`
    create table bench.known_places as
    select tier, rank as place, country, case when tier > 1 then region end as region, case when tier > 1 then city end as city
    from bench.places, generate_series(1, 3) tier`,
    sql`
    insert into site_places (site_key, id, value, country, region, city)
    select ${siteKey}::integer, row_number() over (), place_key(to_jsonb(d), ''), d.* from (select distinct country, region, city from bench.known_places) d`,
    sql`
    create table bench.place_ids as
    select tier, known.place, place.id
    from bench.known_places known
    join site_places place on place.site_key = ${siteKey} and place.value = place_key(to_jsonb(known), '')`,

    // Origin 0: a visit from the site itself, which is stored like a direct one.
    sql`
    create table bench.known_origins as
    select origin.rank as origin, host, case host when 1 then 'shop.' || sites.domain end as hostname, source, channel,
      utm_source as "utmSource", utm_medium as "utmMedium", utm_campaign as "utmCampaign"
    from sites, generate_series(0, 1) host,
      (select * from bench.origins union all select 0, null, null, null, null, null) origin
    where sites.key = ${siteKey}`,
    sql`
    insert into site_origins (site_key, id, value, hostname, source, channel, utm_source, utm_medium, utm_campaign)
    select ${siteKey}::integer, row_number() over (), origin_key(to_jsonb(d), ''), d.*
    from (select distinct hostname, source, channel, "utmSource", "utmMedium", "utmCampaign" from bench.known_origins) d`,
    sql`
    create table bench.origin_ids as
    select known.origin, host, origin.id
    from bench.known_origins known
    join site_origins origin on origin.site_key = ${siteKey}
      and origin.value = origin_key(to_jsonb(known), '')`,
    sql`analyze site_texts, site_profiles, site_places, site_origins, bench.profile_ids, bench.place_ids, bench.origin_ids`,
  ];
}
