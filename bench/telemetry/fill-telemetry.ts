import type { Stack } from '../../dev/stack.ts';
import { runAll } from '../traffic-of-day.ts';

const DAY_MS = 86_400_000;
const PIECE = 100_000;
const WRITERS = 2;
/** One span in this many has a rare attribute. */
export const RARE_EVERY = 50_000;
export const SPANS_A_TRACE = 8;

export interface Filled {
  /** Epoch milliseconds; the spans start at even intervals within the day before. */
  until: number;
  spans: number;
}

/**
 * Creates spans of the last 24 hours in the database: 5 services with 8 operations each, 2 % with an error, 12 attributes, with the
 * columns, indexes and sums that the receiver produces.
 */
export async function fillSpans({ sql }: Stack, environmentId: string, spans: number): Promise<Filled> {
  const until = Math.floor(Date.now() / 60_000) * 60_000;
  const [environment] = await sql`select key from environments where id = ${environmentId}`;
  const key = environment?.key;
  await sql`
    select ensure_telemetry_day('spans', day) from (values
      (${new Date(until - DAY_MS).toISOString()}::date), (${new Date(until).toISOString()}::date)) as days(day)`;
  await sql`
    insert into otlp_resources (environment_key, id, last_day, service, attributes, schema_url, dropped_attributes)
    select ${key}, n, current_date, 'service-' || n, jsonb_build_object('service.name', 'service-' || n), '', 0
    from generate_series(0, 4) as n`;
  await sql`
    insert into otlp_scopes (environment_key, id, last_day, name, version, attributes, schema_url, dropped_attributes)
    values (${key}, 0, current_date, 'bench', '1', '{}', '', 0)`;
  const pieces = Array.from({ length: Math.ceil(spans / PIECE) }, (_, at) => at * PIECE);
  let done = 0;
  await runAll(pieces, WRITERS, async (from) => {
    const to = Math.min(spans, from + PIECE);
    await sql`
      with made as (
        select n, (${until - DAY_MS}::bigint * 1000000 + n * (${DAY_MS}::bigint * 1000000 / ${spans}))::bigint as start_nano,
          (1000000 + (n * 7919 % 997) * (n * 7919 % 997) * 300)::bigint as duration_nano
        from generate_series(${from}::bigint, ${to - 1}::bigint) as n
      )
      insert into spans (environment_key, day, trace_id, span_id, parent_span_id, start_nano, duration_nano, resource_id, scope_id, kind,
        status, name, attributes)
      select ${key}, day_of_nano(start_nano), md5('trace ' || n / ${SPANS_A_TRACE})::uuid, telemetry_hash('span ' || n),
        case when n % ${SPANS_A_TRACE} > 0 then telemetry_hash('span ' || n - n % ${SPANS_A_TRACE}) end, start_nano, duration_nano,
        n % 5, 0, case when n % 2 = 0 then 2 else 3 end, case when n % 50 = 7 then 2 else 0 end, 'GET /operation-' || n % 40,
        jsonb_build_object(
          'http.request.method', 'GET', 'url.scheme', 'https', 'url.path', '/orders/' || n % 9973, 'http.route', '/operation-' || n % 40,
          'server.address', 'shop.example.com', 'server.port', 443, 'client.address', '203.0.113.' || n % 256,
          'user_agent.original', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/153.0.0.0',
          'http.response.status_code', case when n % 50 = 7 then 500 else 200 end, 'http.response.body.size', n * 7919 % 100000,
          'network.protocol.version', '1.1', 'customer', 'c-' || n / ${RARE_EVERY})
      from made`;
    done += to - from;
    console.error(`  ${done} of ${spans} spans`);
  });
  await sumSpans(sql, key);
  return { until, spans };
}

/** Sums the spans hour by hour, as the receiver sums a request. */
async function sumSpans(sql: Stack['sql'], key: number): Promise<void> {
  await sql`
    insert into span_parts (environment_key, minute, service, operation, entry, status, spans, last_nano, duration_nano, buckets, counts)
    select ${key}, to_timestamp(minute * 60), service, name, entry, status, sum(spans), max(last_nano), sum(duration_nano),
      array_agg(bucket), array_agg(spans)
    from (
      select start_nano / 60000000000 as minute, 'service-' || resource_id as service, name, kind in (2, 5) or parent_span_id is null as entry,
        status, latency_bucket(duration_nano) as bucket, count(*)::integer as spans, max(start_nano) as last_nano,
        sum(duration_nano) as duration_nano
      from spans where environment_key = ${key} group by 1, 2, 3, 4, 5, 6
    ) counted
    group by minute, service, name, entry, status`;
}
