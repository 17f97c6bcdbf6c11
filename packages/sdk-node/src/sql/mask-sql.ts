import type { Token } from './scan-sql.ts';

/**
 * The statement without values: `?` for each literal, nothing for comments, one space for white space. A list of literals becomes `(?)`,
 * so that a statement has the same text for every length of its lists. Identifiers and parameters stay. Never throws.
 */
export function maskSql(tokens: Iterable<Token>): string {
  const parts: string[] = [];
  /** Where the innermost open parenthesis is, as long as only literals and commas follow it. */
  let list = -1;
  let space = false;
  for (const { kind, text } of tokens) {
    if (kind === 'space') {
      space = parts.length > 0;
      continue;
    }
    if (space) parts.push(' ');
    space = false;
    if (text === ')' && list >= 0 && parts.splice(list + 1).includes('?')) parts.push('?');
    if (text === '(') list = parts.length;
    else if (kind !== 'literal' && text !== ',') list = -1;
    parts.push(kind === 'literal' ? '?' : text);
  }
  return parts.join('');
}
