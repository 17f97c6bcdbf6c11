/** Reads the parts of a Markdown document that a check of links needs. */

export interface Link {
  /** From 1. */
  line: number;
  target: string;
}

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^#{1,6}\s+(.+?)\s*#*$/;
/** A link `[text](target)` or an image; the text may contain brackets. */
const LINK = /\]\(([^()\s]+)\)/g;

/** The lines of a document; lines of code blocks are empty. */
function proseLines(document: string): string[] {
  let inFence = false;
  return document.split('\n').map((line) => {
    if (FENCE.test(line)) {
      inFence = !inFence;
      return '';
    }
    return inFence ? '' : line;
  });
}

/** A heading's anchor as GitHub generates it. */
function slugOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** The anchors of all headings; a repeated anchor gets a number. */
export function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of proseLines(document)) {
    const heading = HEADING.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Links to files and anchors, without links to other hosts. */
export const linksOf = (document: string): Link[] =>
  proseLines(document).flatMap((line, index) =>
    [...line.replaceAll(/`[^`]*`/g, '').matchAll(LINK)]
      .map(([, target = '']) => ({ line: index + 1, target }))
      .filter(({ target }) => !/^[a-z][a-z\d+.-]*:/i.test(target)),
  );

/** The texts between backticks. */
export const codeOf = (document: string): Link[] =>
  proseLines(document).flatMap((line, index) =>
    [...line.matchAll(/`([^`]+)`/g)].map(([, target = '']) => ({ line: index + 1, target })),
  );
