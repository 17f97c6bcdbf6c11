/** The table of facts is complete: it has every field, column and tier of the code, and the documents say the same. */
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { buildMessage } from '../../../lib/collection/build-message.ts';
import { digestPages } from '../../../lib/collection/page-digests.ts';
import { StoredEvent, TrackMessage } from '../../../lib/collection/track-message.ts';
import type { Tier } from '../../../lib/privacy/tier.ts';
import { english } from '../../../lib/privacy-report/english.ts';
import { BROWSER_STORAGE, FACTS, IGNORE_KEY, keptOf, RAW_HOURS } from '../../../lib/privacy-report/facts.ts';
import { readSchema } from '../../../tooling/schema/read-schema.ts';
import { useDatabase } from '../../services/database.ts';
import { sampleRequest } from '../collection/track-sample.ts';

const database = useDatabase();
const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Fields of a message that say nothing about a visitor. */
const STRUCTURE = ['version', 'siteId', 'tier', 'events', 'type'];

test('each field of a message is in a fact, and no other', () => {
  const fields = new Set([
    ...Object.keys(TrackMessage.entries),
    ...StoredEvent.options.flatMap(({ entries }) => Object.keys(entries)),
  ]);
  const named = new Set([...FACTS.flatMap((fact) => fact.fields), ...STRUCTURE]);
  expect([...named].sort()).toEqual([...fields].sort());
});

/** Tables with definitions of a site's owner, with outcomes of the owner's backend, and with keys. */
const OWNERS = [
  'site_aliases',
  'site_annotations',
  'site_shares',
  'site_goals',
  'site_funnels',
  'site_segments',
  'site_filters',
  'alert_rules',
  'mail_reports',
  'site_imports',
  'outcomes',
];
const KEYS = ['site_key', 'site_id', 'tier', 'kind'];

test('each column of what is stored of visitors is in a fact, and no other', async () => {
  const { sql } = database();
  const rows = await sql`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c
    join pg_class t on t.relname = c.table_name and t.relnamespace = 'public'::regnamespace and not t.relispartition
    where c.table_schema = 'public' and c.is_generated = 'NEVER' and t.relkind in ('r', 'p') and exists (
      select from information_schema.columns k
      where k.table_schema = 'public' and k.table_name = c.table_name and k.column_name in ('site_key', 'site_id'))`;
  const stored = rows
    .filter(({ table, column }) => !OWNERS.includes(table) && !KEYS.includes(column) && column !== 'id')
    .map(({ table, column }) => `${table}.${column}`);
  const named = FACTS.flatMap(({ columns }) => columns);
  const covers = (name: string, column: string) =>
    name === column || (name.endsWith('.*') && column.startsWith(name.slice(0, -1)));
  expect(stored.filter((column) => !named.some((name) => covers(name, column)))).toEqual([]);
  expect(named.filter((name) => !stored.some((column) => covers(name, column)))).toEqual([]);
});

/** The names of all fields of a message and of its events. */
function saidBy(message: object): string[] {
  const said = Object.entries(JSON.parse(JSON.stringify(message))).flatMap(([name, value]) => {
    if (name === 'events') return (value as object[]).flatMap(saidBy);
    return value === false && name === 'continued' ? [] : [name];
  });
  return said.filter((name) => !STRUCTURE.includes(name));
}

test.each<Tier>([0, 1, 2, 3])('at tier %i a message says what the facts of the tier say', async (tier) => {
  const url = `https://example.com/?${['source', 'medium', 'campaign', 'term', 'content'].map((name) => `utm_${name}=x`).join('&')}`;
  const request = sampleRequest({ continued: true });
  const message = buildMessage({
    request: {
      ...request,
      events: request.events.map((event) => ('url' in event ? { ...event, url } : event)),
    },
    domains: ['example.com'],
    tier,
    receivedAt: Date.UTC(2026, 10, 21, 12, 34, 56, 789),
    device: { device: 'mobile', browser: 'Chrome', os: 'Android' },
    visitorId: tier >= 2 ? crypto.randomUUID() : undefined,
    ...(tier === 1 && { pageDigests: await digestPages(request.events) }),
    place: { country: 'PT', regionCode: '13', city: 'Porto' },
  });
  const refused = buildMessage({
    request,
    domains: ['other.example'],
    tier,
    receivedAt: 0,
    device: { device: 'other' },
  });
  const facts = FACTS.filter(({ tiers }) => tiers.includes(tier));
  expect([...new Set([...saidBy(message), ...saidBy(refused)])].sort()).toEqual(
    [...new Set(facts.flatMap(({ fields }) => fields))].sort(),
  );
  if (tier === 0) return;
  const precision = (message.events[0]?.at ?? 0) % 60_000 === 0 ? 'minute' : 'moment';
  expect(facts.filter(({ id }) => id === 'minute' || id === 'moment').map(({ id }) => id)).toEqual([
    precision,
  ]);
});

test('how long is as the code has it', async () => {
  const schema = (await readSchema()).functions.sql;
  const start = schema.indexOf('function drop_raw_events');
  const dropRaw = schema.slice(start, schema.indexOf('create or replace function', start));
  expect(dropRaw).toContain(`instant - interval '${RAW_HOURS} hours'`);
  expect(dropRaw).toContain('failed_at < instant - make_interval(months => retention_months)');

  const folder = new URL('../../../packages/tracker/src/', import.meta.url);
  const sources = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const tracker = (await Promise.all(sources.map((name) => read(`packages/tracker/src/${name}`)))).join('\n');
  expect(new Set(tracker.match(/localStorage\.(\w+)/g))).toEqual(new Set([`localStorage.${IGNORE_KEY}`]));
  for (const { key } of BROWSER_STORAGE)
    expect(tracker).toContain(`KEY = '${key.replace('SITE_ID', '')}' + dataset.site`);
  expect(tracker.match(/localStorage\[\w+\]/g)).toHaveLength(5);
  for (const { days } of BROWSER_STORAGE) expect(tracker).toContain(`LIFETIME_MS = ${days} * 864e5`);
  expect(tracker).not.toMatch(/document\.cookie|sessionStorage|indexedDB/);
});

test('docs/privacy.md has the same table', async () => {
  const kept = { raw: 'Raw', unstored: 'Unstored', visits: 'Visits' };
  const rows = FACTS.map((fact) => {
    const dots = ([0, 1, 2, 3] as const).map((tier) => (fact.tiers.includes(tier) ? '●' : ''));
    return `| ${[english.facts[fact.id].what, ...dots, kept[keptOf(fact)]].join(' | ')} |`;
  });
  expect((await read('docs/privacy.md')).replaceAll(/ +/g, ' ')).toContain(
    rows.join('\n').replaceAll(/ +/g, ' '),
  );
});
