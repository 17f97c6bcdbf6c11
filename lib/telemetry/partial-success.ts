import type { PartialSuccess } from '../otlp/rows.ts';

/** Adds refused items and a sentence about them to what a sender is told. */
export const withSentence = (
  partial: PartialSuccess | undefined,
  rejected: number,
  sentence: string,
): PartialSuccess => ({
  rejected: (partial?.rejected ?? 0) + rejected,
  message: partial === undefined ? sentence : `${partial.message} ${sentence}`,
});
