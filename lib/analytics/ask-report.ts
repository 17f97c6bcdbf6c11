import type { ReportContext } from '../context.ts';
import type { ReportMeta, SharedMeta } from './answers/schemas.ts';
import { withNearValues } from './near-values.ts';
import type { TogetherContext } from './reading/run-report.ts';
import {
  type Narrowing,
  narrowingOf,
  type Question,
  SMALLEST_GROUP,
  Withheld,
} from './reading/small-groups.ts';

interface Answer<Data> {
  data: Data;
  meta: ReportMeta;
  /** Only of lists. */
  more?: boolean;
}

/**
 * Runs a report. All answers and exports go through here, so that data that a share must not reveal is refused or withheld. A withheld
 * answer has `data` null. Throws `VALIDATION_ERROR` for a filter that a share doesn't take.
 */
export async function askReport<Input extends object, Data>(
  ctx: TogetherContext,
  asked: Input,
  run: (ctx: ReportContext, input: Input & { narrowing?: Narrowing }) => Promise<Answer<Data>>,
): Promise<{ data: Data | null; meta: SharedMeta; more: boolean }> {
  const narrowing = narrowingOf(ctx.actor, asked as Question);
  if (narrowing === undefined) {
    const { more = false, data, meta } = await run(ctx, asked);
    return { data, meta: ctx.readTogether === undefined ? await withNearValues(ctx, meta) : meta, more };
  }
  const withheldBelow = SMALLEST_GROUP;
  try {
    const { data, meta, more = false } = await run(ctx, { ...asked, narrowing });
    return { data, meta: { ...withoutReasons(meta), withheldBelow }, more };
  } catch (error) {
    if (!(error instanceof Withheld)) throw error;
    return { data: null, meta: { ...error.meta, suppressed: true, withheldBelow }, more: false };
  }
}

/** Leaves out the reasons why figures are approximate: a reason would reveal that there is a visit of that kind. */
function withoutReasons(meta: ReportMeta & { approximate?: unknown }): ReportMeta {
  const { approximate, ...others } = meta;
  return Array.isArray(approximate) ? others : meta;
}
