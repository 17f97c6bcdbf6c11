import * as v from 'valibot';
import { DomainError } from '../../lib/errors.ts';
import { check, invalid } from '../../lib/http/issues.ts';
import { readJson, refuseQuery } from '../../lib/http/read.ts';
import { type OutcomesContext, recordOutcomes } from '../../lib/outcomes/record-outcomes.ts';
import {
  NewOutcome,
  OutcomeBatch,
  type OutcomeReceipt,
  type OutcomeResult,
} from '../../lib/outcomes/schemas.ts';
import type { SenderError } from '../../lib/telemetry/note-error.ts';
import type { KnownRequest } from './resources.ts';
import { note } from './sender-errors.ts';

/** Accepts any object; the schema for one outcome or for a batch checks it later. */
const OneOrMany = v.looseObject({});

/** Records one outcome, or a batch whose outcomes are judged one by one. Throws `FORBIDDEN` for a key without `outcomes`. */
export async function recordSentOutcomes(
  ctx: OutcomesContext,
  _: object,
  c: KnownRequest,
): Promise<Response> {
  if (!ctx.actor.outcomes)
    throw new DomainError('FORBIDDEN', 'This ingest key may not record outcomes. Make one with `outcomes`.');
  refuseQuery(c);
  const body = await readJson(c, OneOrMany);
  if ('outcomes' in body) {
    const judged = check(OutcomeBatch, body).outcomes.map(judge);
    const outcomes = judged.flatMap((outcome) => ('details' in outcome ? [] : [outcome]));
    const recorded = (await recordOutcomes(ctx, { outcomes })).values();
    const data = judged.map((outcome) => ('details' in outcome ? outcome : recorded.next().value));
    const summary = summaryOf(data as OutcomeResult[]);
    if (summary !== undefined) note(c, { signal: 'outcomes', status: 200, ...summary });
    return c.json({ data });
  }
  const [result] = await recordOutcomes(ctx, { outcomes: [check(NewOutcome, body)] });
  const receipt = requireTaken(result);
  return c.json({ data: receipt }, receipt.status === 'created' ? 201 : 200);
}

/** The outcome of a batch item, or the rules that it breaks. An invalid item doesn't stop the others. */
function judge(item: unknown): NewOutcome | Extract<OutcomeResult, { status: 'invalid' }> {
  try {
    return check(NewOutcome, item);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { status: 'invalid', details: [...(error.details ?? [])] };
  }
}

function requireTaken(result: OutcomeResult | undefined): OutcomeReceipt {
  if (result?.status === 'created' || result?.status === 'duplicate')
    return { status: result.status, receivedAt: result.receivedAt };
  if (result?.status === 'invalid') throw invalid(result.details);
  throw new DomainError(
    'CONFLICT',
    'Another outcome was recorded under this `source` and `domainEventId`, and it stays as it is. A new event needs a new id.',
  );
}

function summaryOf(results: readonly OutcomeResult[]): Pick<SenderError, 'message' | 'dropped'> | undefined {
  const refused = results.filter(({ status }) => status === 'conflict' || status === 'invalid');
  if (refused.length === 0) return undefined;
  const invalidOnes = refused.filter(({ status }) => status === 'invalid').length;
  const conflicts = refused.length - invalidOnes;
  return {
    message: `Of ${results.length} outcomes ${invalidOnes} were invalid, and ${conflicts} conflicted with what was recorded.`,
    dropped: {
      ...(invalidOnes > 0 && { invalid: invalidOnes }),
      ...(conflicts > 0 && { conflict: conflicts }),
    },
  };
}
