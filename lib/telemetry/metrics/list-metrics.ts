import { bindCursor, openCursor } from '../../bound-cursor.ts';
import { fromBase64Url, toBase64Url } from '../../bytes.ts';
import { refuseCursor } from '../../errors.ts';
import type { MetricType } from '../../otlp/rows.ts';
import { type Answer, containing, queryTelemetry, type TelemetryContext } from '../query-telemetry.ts';
import type { PagedMeta } from '../schemas.ts';
import { resolveRange } from '../telemetry-range.ts';
import { suitableFor, temporalitiesOf } from './aggregations.ts';
import type { CatalogMetric, ListMetrics } from './metric-schemas.ts';

const MAX_SERVICES = 20;
const MAX_KEYS = 50;
/** Number of series of a metric whose attributes are read. */
const KEY_SERIES = 200;

type Row = Omit<CatalogMetric, 'temporalities' | 'aggregations'> & { temporalities: number[] };
type Position = [name: string, type: string, unit: string];

/**
 * The metrics that have a point in the range, by name, type and unit. Throws `NOT_FOUND`, `VALIDATION_ERROR`. Goes from name to name by
 * metric_series_name until the page is full; cost grows with the series of the listed names, and of the names without a point in the
 * range.
 */
export async function listMetrics(
  ctx: TelemetryContext,
  { service, q, limit, cursor, ...asked }: ListMetrics,
): Promise<Answer<CatalogMetric[], PagedMeta>> {
  const request = { service, q, ...asked };
  const after = cursor === undefined ? undefined : readPosition(await openCursor(cursor, request));
  const pattern = containing(q);
  const instants = resolveRange(asked, ctx.now(), '24h');
  const { fromMs, toMs, fromDay, toDay, fromNano, toNano } = instants;
  const { items, meta } = await queryTelemetry<Row>(
    ctx,
    asked,
    { instants, signal: 'metrics', filters: { service, text: q } },
    ctx.sql`
      with recursive listed as (
        (select name from metric_series
          where environment_key = (select key from environment) and (${after?.[0] ?? null}::text is null or name >= ${after?.[0] ?? null})
          order by name limit 1)
        union all
        select (select s.name from metric_series s
          where s.environment_key = (select key from environment) and s.name > listed.name order by s.name limit 1)
        from listed where listed.name is not null
      )
      select listed.name, found.*
      from listed
      cross join lateral (
        select kinds.type, kinds.unit, kinds.monotonic, kinds.temporalities, kinds.description, kinds."seriesCount", services."serviceCount",
          services.services, keys."attributeKeys",
          wire_instant(seen.minute) as "lastSeenAt"
        from (
          select s.type, s.unit, bool_or(s.monotonic) as monotonic, array_agg(distinct s.temporality) as temporalities,
            (array_agg(s.description order by s.last_day desc, s.id))[1] as description, count(*) as "seriesCount", array_agg(s.id) as ids,
            array_agg(distinct s.resource_id) as resources
          from metric_series s
          where s.environment_key = (select key from environment) and s.name = listed.name and s.last_day >= ${fromDay}::date - 1
            and (${service ?? null}::text is null or s.resource_id in (
              select r.id from otlp_resources r where r.environment_key = s.environment_key and r.service = ${service ?? null}))
          group by s.type, s.unit
        ) kinds
        cross join lateral (
          select greatest(
            (select max(minute) from metric_seen m
              where m.environment_key = (select key from environment) and m.name = listed.name and m.type = kinds.type and m.unit = kinds.unit
                and (${service ?? null}::text is null or m.service = ${service ?? null})),
            (select max(t.minute) from unnest(kinds.ids) as series
              join metric_touched t on t.environment_key = (select key from environment) and t.series_id = series)
          ) as minute
        ) seen
        cross join lateral (
          select count(*) as "serviceCount", to_jsonb((array_agg(service order by service))[:${MAX_SERVICES}::integer]) as services
          from (
            select distinct r.service from otlp_resources r
            where r.environment_key = (select key from environment) and r.id = any (kinds.resources)
          ) named
        ) services
        cross join lateral (
          select coalesce(jsonb_agg(key order by key), '[]') as "attributeKeys" from (
            select distinct key
            from (
              select attributes from metric_series s
              where s.environment_key = (select key from environment) and s.id = any (kinds.ids[:${KEY_SERIES}::integer])
            ) sample
            cross join lateral jsonb_object_keys(attributes) as key
            order by key limit ${MAX_KEYS}
          ) bounded
        ) keys
        where seen.minute >= date_trunc('minute', ${new Date(fromMs).toISOString()}::timestamptz, 'UTC')
          -- With a last point in the range nothing has to be looked for.
          and (seen.minute < ${new Date(toMs).toISOString()}::timestamptz or exists (
            select from unnest(kinds.ids) as series
            join metric_points p on p.environment_key = (select key from environment) and p.series_id = series
              and p.day between ${fromDay}::date and ${toDay}::date
              and p.time_nano >= ${fromNano}::bigint and p.time_nano < ${toNano}::bigint))
        order by kinds.type, kinds.unit
      ) found
      where listed.name is not null and (${pattern}::text is null or listed.name ilike ${pattern})
        and (${after?.[0] ?? null}::text is null
          or (listed.name, found.type, found.unit) > (${after?.[0] ?? ''}, ${after?.[1] ?? ''}, ${after?.[2] ?? ''}))
      limit ${limit + 1}
    `,
  );
  const page = items.slice(0, limit);
  const last = page.at(-1);
  const nextCursor =
    items.length > limit && last !== undefined
      ? await bindCursor(writePosition([last.name, last.type, last.unit]), request)
      : null;
  return { data: page.map(shown), meta: { ...meta, nextCursor } };
}

const shown = ({ temporalities, ...metric }: Row): CatalogMetric => ({
  ...metric,
  temporalities: temporalitiesOf(temporalities),
  aggregations: [
    ...suitableFor({
      type: metric.type as MetricType,
      unit: metric.unit,
      monotonic: metric.monotonic,
      temporalities,
    }),
  ],
});

const writePosition = (position: Position): string =>
  toBase64Url(new TextEncoder().encode(JSON.stringify(position)));

function readPosition(text: string): Position {
  const bytes = fromBase64Url(text);
  try {
    const position: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const isPosition =
      Array.isArray(position) &&
      position.length === 3 &&
      position.every((part) => typeof part === 'string' && !part.includes('\0'));
    if (isPosition && writePosition(position as Position) === text) return position as Position;
  } catch {}
  return refuseCursor();
}
