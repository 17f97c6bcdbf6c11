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

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
/** The line under a heading, which makes it one. */
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** An underlined heading has few lines. More are a paragraph before a line. */
const MAX_HEADING_LINES = 4;

/** Where the headings that a page ends with, or cuts, begin. A page of headings alone stays as it is. */
function beforeHeadings(text: string, start: number, end: number): number {
  let cut = end;
  for (;;) {
    const heading = lastHeading(text, start, cut);
    if (heading === undefined) return cut;
    if (heading === start) return end;
    cut = heading;
  }
}

/** Where the last heading of a page begins, if nothing but space follows it or it goes on after the page. */
function lastHeading(text: string, start: number, cut: number): number | undefined {
  const written = start + text.slice(start, cut).trimEnd().length;
  const line = lineAt(text, start, written);
  if (HEADING.test(lineFrom(text, line))) return line;
  if (isUnderlinedAfter(text, written)) return paragraphAt(text, start, line);
  if (!UNDERLINE.test(lineFrom(text, line))) return undefined;
  const heading = paragraphAt(text, start, line);
  // An underline under nothing is a line between paragraphs.
  return heading === line ? undefined : heading;
}

/** Whether the paragraph at a position goes on to an underline. */
function isUnderlinedAfter(text: string, position: number): boolean {
  let next = text.indexOf('\n', position);
  for (let count = 0; next !== -1 && count < MAX_HEADING_LINES; count += 1) {
    const line = lineFrom(text, next + 1);
    if (UNDERLINE.test(line)) return true;
    if (line.trim() === '' || HEADING.test(line)) return false;
    next = text.indexOf('\n', next + 1);
  }
  return false;
}

/** Where the paragraph of a line begins; undefined if it is longer than a heading. */
function paragraphAt(text: string, start: number, line: number): number | undefined {
  let first = line;
  for (let count = 0; first > start; count += 1) {
    if (count > MAX_HEADING_LINES) return undefined;
    const before = lineAt(text, start, first - 1);
    const words = text.slice(before, first - 1);
    if (words.trim() === '' || HEADING.test(words) || UNDERLINE.test(words)) break;
    first = before;
  }
  return first;
}

/** Where the line at a position begins, at `start` at the earliest. */
const lineAt = (text: string, start: number, position: number): number =>
  position <= start ? start : Math.max(start, text.lastIndexOf('\n', position - 1) + 1);

/** The line that begins at a position, without its end. */
function lineFrom(text: string, position: number): string {
  const end = text.indexOf('\n', position);
  return text.slice(position, end === -1 ? undefined : end);
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
