import type { IngestContext } from '../context.ts';
import { reach } from '../db.ts';
import { DomainError } from '../errors.ts';
import type { OutcomeResult, RecordOutcomes } from './schemas.ts';

/** Tolerance for clocks that run ahead. */
const AHEAD_MS = 86_400_000;

export interface OutcomesContext extends IngestContext {
  /** The id in the log and in the answer's `X-Request-Id`. */
  requestId: string;
}

interface Row {
  index: number;
  result: 'created' | 'duplicate' | 'conflict' | 'invalid';
  received_at: Date | null;
}

/**
 * Records each outcome once and returns the result of each, in order (docs/outcomes.md). One statement; it is safe under races, and a
 * batch may contain the same event twice. Throws `UNAUTHORIZED` for a key of a deleted environment, `UNAVAILABLE`.
 */
export async function recordOutcomes(
  ctx: OutcomesContext,
  { outcomes }: RecordOutcomes,
): Promise<OutcomeResult[]> {
  const now = ctx.now();
  const results = outcomes.map(({ occurredAt }): OutcomeResult | undefined =>
    Date.parse(occurredAt) > now + AHEAD_MS
      ? invalid('occurredAt', 'must not be more than a day ahead: check the clock')
      : undefined,
  );
  const sent = outcomes.flatMap(({ value, attributes = {}, ...outcome }, index) => {
    const stored = { ...outcome, ...value, ...(Object.keys(attributes).length > 0 && { attributes }), index };
    return results[index] === undefined ? [stored] : [];
  });
  if (sent.length > 0) for (const row of await store(ctx, sent, now)) results[row.index] = toResult(row);
  return results.filter((result) => result !== undefined);
}

/**
 * Uses the primary keys of `outcomes`, `environments` and `sites`; cost grows with the outcomes sent. A second writer of the same key
 * waits and then reads the stored row, so only one creates it. Rows are written in the order of their keys, so writers never deadlock.
 */
async function store(ctx: OutcomesContext, sent: readonly object[], now: number): Promise<Row[]> {
  const { environmentKey, projectId, keyId } = ctx.actor;
  const instant = new Date(now).toISOString();
  const rows = await reach(ctx.sql`
    with sent as (
      select item.*, environments.key as environment_key,
        sha256(convert_to(jsonb_build_array(item.type, item."occurredAt", trim_scale(item.amount), item.currency, item.attributes,
          item."siteId")::text, 'UTF8')) as hash,
        item."siteId" is null or exists (
          select from sites where sites.id = item."siteId" and sites.project_id = ${projectId}) as valid
      from environments
      cross join jsonb_to_recordset(${JSON.stringify(sent)}::jsonb) as item (
        index integer, source text, "domainEventId" text, type text, "occurredAt" text, amount numeric, currency text, attributes jsonb,
        "traceId" uuid, "spanId" text, "sessionId" text, "siteId" uuid)
      where environments.key = ${environmentKey}
    ), first as (
      select distinct on (source, "domainEventId") * from sent where valid order by source, "domainEventId", index
    ), stored as (
      insert into outcomes (environment_key, source, domain_event_id, type, occurred_at, amount, currency, attributes, trace_id, span_id,
        session_id, site_id, payload_hash, received_at)
      select environment_key, source, "domainEventId", type, "occurredAt"::timestamptz, amount, currency, attributes, "traceId",
        span_id_of("spanId"), "sessionId", "siteId", hash, ${instant}::timestamptz
      from first order by source, "domainEventId"
      on conflict (environment_key, source, domain_event_id) do update set source = excluded.source
      returning id, source, domain_event_id, payload_hash, received_at, xmax = 0 as created
    ), known as (
      select id, source, domain_event_id, payload_hash, received_at, created from stored
      union all
      -- An outcome that is sent again after its site was deleted is still the same event.
      select id, source, domain_event_id, payload_hash, received_at, false from outcomes
      where environment_key = ${environmentKey}
        and (source, domain_event_id) in (select source, "domainEventId" from sent where not valid)
        and (source, domain_event_id) not in (select source, "domainEventId" from first)
    ), judged as (
      select sent.*, known.id, known.received_at,
        case
          when known.id is null or not sent.valid and known.payload_hash <> sent.hash then 'invalid'
          when known.payload_hash <> sent.hash then 'conflict'
          when known.created and sent.index = (select index from first where first.source = sent.source
            and first."domainEventId" = sent."domainEventId") then 'created'
          else 'duplicate'
        end as result
      from sent
      left join known on known.source = sent.source and known.domain_event_id = sent."domainEventId"
    ), noted as (
      insert into outcome_sendings (environment_key, outcome_id, sent_at, key_id, request_id, trace_id, span_id, session_id, result)
      select environment_key, id, ${instant}::timestamptz, ${keyId}::uuid, ${ctx.requestId}, "traceId", span_id_of("spanId"), "sessionId",
        result
      from judged where result <> 'invalid' order by index
    ), receipts as (
      insert into telemetry_receipts (environment_key, received_at, signal, service, items)
      select environment_key, ${instant}::timestamptz, 'outcomes', source, count(*) filter (where result = 'created')
      from judged where result <> 'invalid' group by environment_key, source
    ), announced as (
      -- Without attributes, traces and sessions: nothing of a visitor.
      select send_message(environments.project_id, null, 'outcome.confirmed', jsonb_build_object(
        'environment', jsonb_build_object('id', environments.id, 'name', environments.name),
        'outcome', jsonb_build_object('source', source, 'domainEventId', "domainEventId", 'type', type,
          'occurredAt', json_instant("occurredAt"::timestamptz),
          'value', case when amount is not null then jsonb_build_object('amount', amount::text, 'currency', currency) end)),
        ${instant}::timestamptz, 'outcome ' || judged.id)
      from judged join environments on environments.key = judged.environment_key
      where result = 'created'
    )
    -- The count makes PostgreSQL call what nothing else reads.
    select index, result, received_at, (select count(*) from announced) as announced from judged
  `);
  if (rows.length === 0)
    throw new DomainError('UNAUTHORIZED', 'The environment of this ingest key was deleted.');
  return rows as Row[];
}

function toResult({ result, received_at }: Row): OutcomeResult {
  if (result === 'invalid' || received_at === null)
    return invalid('siteId', 'must be a site of the key’s project');
  return { status: result, receivedAt: received_at.toISOString() };
}

const invalid = (path: string, message: string): OutcomeResult => ({
  status: 'invalid',
  details: [{ path, message }],
});
