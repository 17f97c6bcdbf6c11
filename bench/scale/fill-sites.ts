/** Fills sites with days of page views: day by day in the shape of the fold, the last two days by the fold itself. Then seals them. */
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { Sql } from '../../lib/db.ts';
import { plannedDays, refusedDay, SINCE_CRONS_MS } from '../reports/fill-report-site.ts';
import { DAY_MS, type PlannedDay, planDay } from '../reports/plan-day.ts';
import { plannedMessages } from '../reports/planned-messages.ts';
import { defineTargets } from '../reports/report-questions.ts';
import { EVENTS_A_VISIT } from '../reports/site-population.ts';
import { rollUpVisitors, type Statements, storeDay } from '../reports/store-day.ts';
import { storeMeasures } from '../reports/store-measures.ts';
import { writeDictionaries } from '../reports/write-dictionaries.ts';
import { inBatches, runAll } from '../traffic-of-day.ts';
import { type Fill, type FilledSite, readSites } from './fill-size.ts';
import type { Pieces } from './pieces.ts';

const FOLDED_DAYS = 2;
const HOUR_MS = 3_600_000;
const MESSAGES_A_BATCH = 100;
const SEALING_MS = 30_000;

/** Sites with the same traffic: what is planned for one of them is stored for all. */
interface Group {
  events: number;
  days: PlannedDay[];
  sites: FilledSite[];
}

export async function fillSites(
  sql: Sql,
  { size, until, sites }: Fill & { sites: readonly FilledSite[] },
  pieces: Pieces,
): Promise<void> {
  const groups = [
    { events: size.site, sites: sites.slice(0, 1) },
    { events: size.each, sites: sites.slice(1) },
  ].map(({ events, ...group }): Group => {
    const days = plannedDays({ events, now: until, days: size.days });
    return { events, days, ...group };
  });
  for (let number = 0; number < size.days - FOLDED_DAYS; number += 1)
    for (const group of groups) await storePlanned(sql, group, number, pieces);
  for (const { siteKey, number } of sites)
    await pieces.once(`visitors of site ${number}`, 0, () => rollUpVisitors(sql, siteKey));
  for (let number = size.days - FOLDED_DAYS; number < size.days; number += 1)
    for (const group of groups) await foldPlanned(sql, group, number, { until, pieces });
  await pieces.repeatable('measures', 0, () => maintainVisits({ sql, now: () => until - SINCE_CRONS_MS }));
  await pieces.repeatable('statistics of sites', 0, () => sql`vacuum analyze`);
}

/** Each site with its dictionaries; goals and a funnel of the large one, so that its days are sealed with them. */
export async function makeSites(sql: Sql, count: number, pieces: Pieces): Promise<FilledSite[]> {
  for (let number = 0; number < count; number += 1)
    await pieces.once(`site ${number}`, 0, () => [makeSite(sql, number)]);
  const sites = await readSites(sql);
  for (const { number, siteKey } of sites)
    await pieces.once(`dictionaries of site ${number}`, 0, () =>
      number === 0 ? writeDictionaries(sql, siteKey) : copyDictionaries(sql, sites[0]?.siteKey ?? 0, siteKey),
    );
  const { siteId = '', userId = '' } = sites[0] ?? {};
  await pieces.repeatable('goals', 0, () => defineTargets(sql, { siteId, userId, now: Date.now() }));
  return sites;
}

/** A site whose policy accepts page views, in a project of its own with a person who may see it. */
const makeSite = (sql: Sql, number: number) => sql`
  with person as (insert into users (email) values (gen_random_uuid() || '@example.com') returning id),
  project as (insert into projects (name) values (${`bench ${number}`}) returning id),
  member as (
    insert into project_members (project_id, user_id, role) select project.id, person.id, 'owner' from project, person),
  site as (
    insert into sites (project_id, domain, name, jurisdiction, consent_mode, pre_consent_tier, retention_months)
    select id, 'example.com', ${`Site ${number}`}, 'US', 'regional', 'sessions', 25 from project
    returning id, key)
  insert into bench.sites (number, site_id, site_key, project_id, user_id)
  select ${number}, site.id, site.key, project.id, person.id from site, project, person`;

const copyDictionaries = (sql: Sql, from: number, to: number): Statements => [
  sql`insert into site_texts (site_key, id, value) select ${to}::integer, id, value from site_texts where site_key = ${from}`,
  sql`
    insert into site_profiles (site_key, id, value, device, browser, os, language)
    select ${to}::integer, id, value, device, browser, os, language from site_profiles where site_key = ${from}`,
  sql`
    insert into site_places (site_key, id, value, country, region, city)
    select ${to}::integer, id, value, country, region, city from site_places where site_key = ${from}`,
  sql`
    insert into site_origins (site_key, id, value, hostname, source, channel, utm_source, utm_medium, utm_campaign)
    select ${to}::integer, id, value, hostname, source, channel, utm_source, utm_medium, utm_campaign
    from site_origins where site_key = ${from}`,
];

const rowsOf = ({ start, visitsADay, until = start + DAY_MS }: PlannedDay): number =>
  Math.round((EVENTS_A_VISIT * visitsADay * (until - start)) / DAY_MS);

async function storePlanned(
  sql: Sql,
  { events, days, sites }: Group,
  number: number,
  pieces: Pieces,
): Promise<void> {
  const day = days[number] as PlannedDay;
  const left = sites.filter((site) => !pieces.isDone(nameOf(site, number)));
  if (left.length === 0) return;
  await planDay(sql, day);
  for (const site of left)
    await pieces.once(nameOf(site, number), rowsOf(day), () => [
      ...storeDay(sql, site.siteKey, day.start),
      ...storeMeasures(sql, site.siteKey, day.start),
      refusedDay(sql, site.siteKey, day.start, events),
    ]);
}

const nameOf = ({ number: site }: FilledSite, day: number): string => `site ${site}, day ${day}`;

/** Folds a day hour by hour. An hour that is folded twice counts once, as whatever is sent twice. */
async function foldPlanned(
  sql: Sql,
  { events, days, sites }: Group,
  number: number,
  { until: end, pieces }: { until: number; pieces: Pieces },
): Promise<void> {
  const day = days[number] as PlannedDay;
  const { start, until = start + DAY_MS } = day;
  const clock = Math.min(end, until);
  const hours = Array.from({ length: Math.ceil((until - start) / HOUR_MS) }, (_, hour) => hour);
  for (const site of sites)
    await pieces.once(`refused of ${nameOf(site, number)}`, 0, () => [
      refusedDay(sql, site.siteKey, start, events),
    ]);
  const left = sites.filter((site) =>
    hours.some((hour) => !pieces.isDone(`${nameOf(site, number)}, hour ${hour}`)),
  );
  if (left.length === 0) return;
  await maintainVisits({ sql, now: () => clock });
  await planDay(sql, day);
  for (const site of left) {
    for (const hour of hours)
      await pieces.repeatable(
        `${nameOf(site, number)}, hour ${hour}`,
        Math.round(rowsOf(day) / hours.length),
        async () => {
          const from = start + hour * HOUR_MS;
          const messages = await plannedMessages(sql, site.siteId, from, Math.min(from + HOUR_MS, until));
          await runAll(inBatches(messages, MESSAGES_A_BATCH), 2, (batch) => foldBatch(sql, batch, clock));
        },
      );
  }
}

/** Seals all days with the function of the cron, which continues by itself. Tells how many days are sealed so far. */
export async function sealFilled(
  sql: Sql,
  { until }: Fill,
  onDays: (sealed: number) => void = () => {},
): Promise<void> {
  for (let isMore = true; isMore; ) {
    const begun = Date.now();
    const now = () => until - SINCE_CRONS_MS + Date.now() - begun;
    const { sealedDays, faults } = await sealVisits({ sql, now }, { timeMs: SEALING_MS });
    for (const { siteKey, day, fault } of faults)
      throw new Error(`Day ${day} of site ${siteKey} can't be sealed`, { cause: fault });
    isMore = sealedDays > 0;
    onDays(sealedDays);
  }
}
