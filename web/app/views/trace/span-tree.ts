import type { Trace } from '../../api/operations.generated.ts';

export type AnySpan = Trace['spans'][number];
export type Span = Extract<AnySpan, { missing: false }>;

/** What a closed row must know about the spans below it. */
export interface Below {
  /** Spans below, at any depth. They follow the span in the list. */
  spans: number;
  errors: number;
}

export const isError = (span: AnySpan | undefined): boolean =>
  span !== undefined && !span.missing && span.status === 'error';

/** Of each span, what is below it. The list has each span before its children. */
export function countBelow(spans: readonly AnySpan[]): Below[] {
  const below = spans.map(() => ({ spans: 0, errors: 0 }));
  for (let index = spans.length - 1; index >= 0; index -= 1) {
    const span = spans[index];
    const own = below[index];
    const parent = span?.parent == null ? undefined : below[span.parent];
    if (own === undefined || parent === undefined) continue;
    parent.spans += own.spans + 1;
    parent.errors += own.errors + (isError(span) ? 1 : 0);
  }
  return below;
}

/** The spans that are shown: those that are below no closed one. */
export function shownSpans(below: readonly Below[], closed: ReadonlySet<number>): number[] {
  const shown: number[] = [];
  for (let index = 0; index < below.length; index += 1) {
    shown.push(index);
    if (closed.has(index)) index += below[index]?.spans ?? 0;
  }
  return shown;
}

/** The spans above a span, from its parent to its root. */
export function above(spans: readonly AnySpan[], index: number): number[] {
  const found: number[] = [];
  for (let parent = spans[index]?.parent; parent != null; parent = spans[parent]?.parent) found.push(parent);
  return found;
}

/** How the address names a span: by its id, and by its index if another span has the same id. */
export function spanName(spans: readonly AnySpan[], index: number): string | undefined {
  const span = spans[index];
  if (span === undefined) return undefined;
  return !span.missing && span.irregularity === 'duplicate' ? `${span.spanId}@${index}` : span.spanId;
}

/** The index of the span that the address names. */
export function findSpan(spans: readonly AnySpan[], name: string | undefined): number | undefined {
  const [id, at] = (name ?? '').split('@');
  if (at !== undefined && spans[Number(at)]?.spanId === id) return Number(at);
  const index = spans.findIndex(({ spanId }) => spanId === id);
  return index < 0 ? undefined : index;
}
