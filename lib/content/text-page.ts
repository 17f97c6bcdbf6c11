/** Maximum length of a page's text (docs/content.md#detail-pages). Counted in UTF-16 units, the largest of the possible counts. */
export const MAX_PAGE_LENGTH = 20_000;

export interface TextPage {
  text: string;
  /** Where the next page begins; null after the last page. */
  next: number | null;
}

/** The share of a page, at its end, in which a break is searched. It keeps pages from being much shorter than allowed. */
const SEARCHED_PART = 0.5;
/** Best first. The page ends after the break. */
const BREAKS = ['\n\n', '\n', ' '];

/**
 * The page of a text that begins at `start`, which is 0 or the `next` of the page before. It ends after a paragraph if one ends in its
 * second half, otherwise after a line, otherwise after a word, and never within a code point. It never ends with a heading: that begins
 * the next page. All pages joined are the text.
 */
export function pageOf(text: string, start: number, maxLength: number = MAX_PAGE_LENGTH): TextPage {
  if (text.length - start <= maxLength) return { text: text.slice(start), next: null };
  const end = beforeHeadings(text, start, findEnd(text, start, start + maxLength));
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

const HEADING = /^#{1,6} /;

/** Where the headings that a page ends with begin. A page of headings alone stays as it is. */
function beforeHeadings(text: string, start: number, end: number): number {
  let cut = end;
  for (;;) {
    const written = text.slice(start, cut).trimEnd().length;
    const line = start + text.slice(start, start + written).lastIndexOf('\n') + 1;
    if (!HEADING.test(text.slice(line, line + 7))) return cut;
    if (line === start) return end;
    cut = line;
  }
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
