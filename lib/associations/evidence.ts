/** What links a page view to a trace (docs/telemetry.md#what-links-a-page-to-a-trace). */
import * as v from 'valibot';
import type { TelemetryActor } from '../access.ts';
import type { Actor } from '../context.ts';
import type { Fragment, Sql } from '../db.ts';

/**
 * `both sides`: the page reported the trace, and the backend's SERVER span says that the site's page asked. `response context`: the page
 * read the trace's id from the answer, and the trace has a span. `traceparent sent`: the page's request carried the trace's id, and the
 * trace has a span. `not confirmed`: the page reported it, and no such span is there.
 */
export const EVIDENCE = ['both sides', 'response context', 'traceparent sent', 'not confirmed'] as const;
export const Evidence = v.picklist(EVIDENCE);
export type Evidence = v.InferOutput<typeof Evidence>;

/** The evidence of an association, for a select with `sent` and with `mark` of `span_of_association` (schema/functions/associations.sql). */
export const evidenceOf = (sql: Sql): Fragment => sql`
  case when mark = 1 then 'both sides' when mark in (3, 4) then case when sent then 'traceparent sent' else 'response context' end
    else 'not confirmed' end`;

/** Whether the actor's scopes cover both what pages did and what backends did. Membership is checked apart. */
export const mayReadBothSides = (actor: Actor): actor is TelemetryActor => {
  switch (actor.kind) {
    case 'apiToken':
    case 'session':
    case 'operator':
      return true;
    case 'queryToken':
      return actor.scopes.includes('analytics:read') && actor.scopes.includes('telemetry:read');
    default:
      return false;
  }
};

/**
 * What orders the associations of a trace: the first page that reported it has it. For comparisons of rows, and for `order by` with
 * parentheses around it.
 */
export const claimOrder = (sql: Sql, table: Fragment): Fragment =>
  sql`${table}.occurred_at, ${table}.site_key, ${table}.visitor_id, ${table}.page_id`;
