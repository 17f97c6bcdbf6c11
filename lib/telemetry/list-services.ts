import { bindCursor, openCursor } from '../bound-cursor.ts';
import { fromBase64Url, toBase64Url } from '../bytes.ts';
import { refuseCursor } from '../errors.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import type { PagedMeta, Service } from './schemas.ts';
import type { ListServices } from './span-schemas.ts';
import { spanSums, wholeMinutes } from './span-sums.ts';
import { resolveRange } from './telemetry-range.ts';

/**
 * The services that sent spans in the range, by name; `nextCursor` is the last name. Throws `NOT_FOUND`, `VALIDATION_ERROR`. Reads only
 * sums: one row per service, operation, status and hour.
 */
export async function listServices(
  ctx: TelemetryContext,
  { limit, cursor, ...asked }: ListServices,
): Promise<Answer<Service[], PagedMeta>> {
  const instants = wholeMinutes(resolveRange(asked, ctx.now()));
  const after = cursor === undefined ? null : readPosition(await openCursor(cursor, asked));
  const { items, meta } = await queryTelemetry<Service>(
    ctx,
    asked,
    { instants, signal: 'traces' },
    ctx.sql`
      select service as name, sum(spans) as spans, coalesce(sum(spans) filter (where entry), 0) as entries,
        coalesce(sum(spans) filter (where entry and status = 2), 0) as errors, iso_of_nano(max(last_nano)) as "lastSeenAt"
      from (${spanSums(ctx.sql, instants)}) sums
      where ${after}::text is null or service collate "C" > ${after}
      group by service order by service collate "C" limit ${limit + 1}
    `,
  );
  const page = items.slice(0, limit);
  const last = page.at(-1);
  const more = items.length > limit && last !== undefined;
  const nextCursor = more ? await bindCursor(writePosition(last.name), asked) : null;
  return { data: page, meta: { ...meta, nextCursor } };
}

const writePosition = (name: string): string => toBase64Url(new TextEncoder().encode(name));

function readPosition(text: string): string {
  const bytes = fromBase64Url(text);
  const name = bytes === undefined ? '' : new TextDecoder().decode(bytes);
  return name === '' || name.includes('\0') || writePosition(name) !== text ? refuseCursor() : name;
}
