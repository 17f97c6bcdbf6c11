import { FILE_START, type Report } from './fault.ts';
import type { Source } from './read-source.ts';

const FENCE = '---';

/** Splits a Markdown file into the YAML between its `---` lines and its body. Reports missing parts. */
export function splitFrontMatter(
  { file, text }: Source,
  report: Report,
): { front: Source; body: Source } | undefined {
  const lines = text.split('\n');
  const end = lines.indexOf(FENCE, 1);
  if (lines[0] !== FENCE || end === -1) {
    const rule =
      lines[0] === FENCE
        ? `begins with ${FENCE} and has no further line ${FENCE} after its fields`
        : `must begin with a line ${FENCE}, its fields, and a line ${FENCE}`;
    report({ file, ...FILE_START, field: 'front matter', rule });
    return undefined;
  }
  return {
    front: { file, text: lines.slice(1, end).join('\n'), firstLine: 2 },
    body: { file, text: lines.slice(end + 1).join('\n'), firstLine: end + 2 },
  };
}
