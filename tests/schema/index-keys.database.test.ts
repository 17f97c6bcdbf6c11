/** An entry of a B-tree has at most 2,704 bytes: the statement that writes a longer one fails, and with it the whole run of a cron. */
import { expect, test } from 'vitest';
import { MAX_NAME_BYTES } from '../../lib/otlp/otlp-limits.ts';
import { useDatabase } from '../services/database.ts';

const database = useDatabase();

const MAX_ENTRY_BYTES = 2704;
/** The header of an entry, and the length and alignment of a text. */
const HEADER_BYTES = 8;
const TEXT_OVERHEAD_BYTES = 8;
/** Maximum bytes of a column that isn't text: a SHA-256. */
const OTHER_BYTES = 40;

/** Maximum bytes of a text whose schema counts UTF-16 units. A unit has at most 3 bytes in UTF-8. */
const units = (max: number): number => 3 * max;
/** Maximum bytes of a text whose characters PostgreSQL counts. */
const characters = (max: number): number => 4 * max;

const SERVICE = characters(256);
const OPERATION = Math.min(characters(256), MAX_NAME_BYTES);
const LABEL = units(128);

/** The longest text of each indexed column, in bytes. An expression is named by its table and its position. */
const LONGEST: Record<string, number> = {
  'audit_log.2': 36,
  'cron_runs.function': 16,
  'dead_letters.1': 32,
  'dropped_days.reason': 10,
  'environment_origins.origin': units(300),
  'environments.name': units(100),
  'message_channels.kind': 7,
  'message_channels.3': 32,
  'error_hours.release': units(64),
  'metric_seen.name': MAX_NAME_BYTES,
  'metric_seen.type': 20,
  'metric_seen.4': 32,
  'metric_seen.5': 32,
  'metric_series.name': MAX_NAME_BYTES,
  'new_values.kind': 10,
  'erased_values.dictionary': 8,
  'value_ids.dictionary': 8,
  'other_days.kind': 10,
  'otlp_resources.service': SERVICE,
  'outbox.dedupe': units(200),
  'outcomes.source': units(128),
  'outcomes.domain_event_id': units(256),
  'rollup_revenue.currency': 3,
  'rollup_visitors.unit': 4,
  'service_calls.caller': SERVICE,
  'service_calls.callee': SERVICE,
  'site_aliases.alias': 253,
  'site_filters.2': 32,
  'site_funnels.name': units(100),
  'site_goals.name': units(100),
  // A source, an event, or the first characters of a path.
  'site_minutes.name': characters(256),
  'site_segments.name': units(100),
  // An ASCII hostname, the source, five campaign parameters, and one of our channels.
  'site_origins.value': 253 + 6 * LABEL + 32 + 8,
  'site_places.value': 2 + 6 + units(96) + 2,
  'site_profiles.value': 8 + 2 * units(64) + units(35) + 4,
  // Values of properties are the longest texts. Paths are ASCII of at most 1024 characters.
  'site_texts.value': units(512),
  'span_hours.service': SERVICE,
  'span_hours.operation': OPERATION,
  'span_minutes.service': SERVICE,
  'span_minutes.operation': OPERATION,
  'telemetry_connections.signal': 8,
  'telemetry_connections.service': SERVICE,
  'telemetry_errors.signal': 8,
  'otlp_hours.signal': 8,
  'otlp_dropped.signal': 8,
  'otlp_dropped.reason': 16,
  'user_credentials.provider': 64,
  // The id of a person.
  'user_verifications.value': 36,
  'user_verifications.identifier': units(254) + 64,
  'users.1': units(254),
};

test('the longest entry of every index fits', async () => {
  const columns = await database().sql`
    select c.relname as index, t.relname || '.' || coalesce(a.attname, position::text) as column, y.typname as type
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_am am on am.oid = c.relam and am.amname = 'btree'
    join pg_class t on t.oid = i.indrelid
    cross join lateral generate_series(1, i.indnatts) as position
    join pg_attribute entry on entry.attrelid = c.oid and entry.attnum = position
    join pg_type y on y.oid = entry.atttypid
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[position - 1] and a.attnum > 0
    where t.relnamespace = 'public'::regnamespace and not t.relispartition
    order by 1, position`;
  const longest = new Map<string, number>();
  const unknown: string[] = [];
  for (const { index, column, type } of columns) {
    const isText = type === 'text';
    const bytes = isText ? LONGEST[column] : OTHER_BYTES;
    if (bytes === undefined) unknown.push(`${column} of ${index}`);
    const overhead = isText ? TEXT_OVERHEAD_BYTES : 0;
    longest.set(index, (longest.get(index) ?? HEADER_BYTES) + (bytes ?? 0) + overhead);
  }
  expect(unknown).toEqual([]);
  expect([...longest].filter(([, bytes]) => bytes > MAX_ENTRY_BYTES)).toEqual([]);
  expect(longest.size).toBeGreaterThan(50);
});

test('no index is of hashes that a sender can make equal', async () => {
  const indexes = await database().sql`
    select indexname from pg_indexes where schemaname = 'public' and indexdef ~ '(uuid_hash|hashtext|hash_any|using hash)'`;
  expect(indexes).toEqual([]);
});
