/** The longest text of a page (docs/content.md#detail-pages), here in UTF-16 units, so that no way of counting finds more. */
export const MAX_PAGE_LENGTH = 20_000;

export interface TextPage {
  text: string;
  /** Where the next page begins, or null after the last one. */
  next: number | null;
}

/** A break is looked for in this last part of a page, so that a page is never much shorter than it may be. */
const SEARCHED_PART = 0.5;
/** Best first. The page ends after what matches. */
const BREAKS = ['\n\n', '\n', ' '];

/**
 * The page of a text that begins at `start`, the `next` of the page before or 0. It ends at a paragraph's end if there is
 * one in its second half, else at a line's, else at a word's, and never within a code point. Joined, the pages are the text.
 */
export function pageOf(text: string, start: number, maxLength: number = MAX_PAGE_LENGTH): TextPage {
  if (text.length - start <= maxLength) return { text: text.slice(start), next: null };
  const end = findEnd(text, start, start + maxLength);
  return { text: text.slice(start, end), next: end };
}

function findEnd(text: string, start: number, limit: number): number {
  const earliest = start + Math.ceil((limit - start) * SEARCHED_PART);
  for (const mark of BREAKS) {
    const found = text.lastIndexOf(mark, limit - mark.length);
    if (found >= start && found + mark.length >= earliest) return found + mark.length;
  }
  return isLowSurrogate(text.charCodeAt(limit)) ? limit - 1 : limit;
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
