import type { DropReason } from '../otlp/drop-reason.ts';
import type { PartialSuccess } from '../otlp/rows.ts';

/** Adds refused items and a sentence about them to the answer to a sender. Without `refused` the sentence is a warning. */
export function withSentence(
  partial: PartialSuccess | undefined,
  sentence: string,
  refused?: { count: number; reason: DropReason },
): PartialSuccess {
  const message = partial === undefined ? sentence : `${partial.message} ${sentence}`;
  const before = { rejected: 0, ...partial, message };
  if (refused === undefined) return before;
  const { count, reason } = refused;
  return {
    ...before,
    rejected: before.rejected + count,
    dropped: { ...partial?.dropped, [reason]: (partial?.dropped?.[reason] ?? 0) + count },
  };
}
