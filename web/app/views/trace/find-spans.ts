import { valueText } from '../../parts/attribute-list.tsx';
import type { AnySpan } from './span-tree.ts';

/** What is searched of a span, in lower case. */
const textOf = (span: AnySpan): string =>
  span.missing
    ? span.spanId
    : [
        ...[span.spanId, span.service, span.name, span.statusMessage ?? ''],
        ...Object.entries(span.attributes).map(([key, value]) => `${key}=${valueText(value)}`),
      ]
        .join('\n')
        .toLowerCase();

const texts = new WeakMap<readonly AnySpan[], readonly string[]>();

/** The indexes of the spans that have a text in service, name, id, status message or attributes (`key=value`), whatever its case. */
export function findSpans(spans: readonly AnySpan[], searched: string): ReadonlySet<number> {
  const wanted = searched.trim().toLowerCase();
  if (wanted === '') return new Set();
  // A trace is read once, not at each letter.
  const known = texts.get(spans) ?? spans.map(textOf);
  texts.set(spans, known);
  return new Set(known.flatMap((text, index) => (text.includes(wanted) ? [index] : [])));
}
