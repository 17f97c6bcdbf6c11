/** Splits SQL into tokens, so that literals can be left out. It never fails: what is unterminated goes to the end of the text. */

export type SqlDialect = 'postgresql' | 'sqlite';

/**
 * - `space`: white space and comments.
 * - `literal`: a string, a number, or what can't be distinguished from one.
 * - `word`: a keyword or a plain identifier.
 * - `quoted`: a quoted identifier, with its quotes.
 * - `parameter`: `$1`, `?`, `?1`, `:name`, `@name`.
 * - `sign`: one character of anything else.
 */
export type TokenKind = 'space' | 'literal' | 'word' | 'quoted' | 'parameter' | 'sign';

export interface Token {
  kind: TokenKind;
  text: string;
}

type Rule = readonly [kind: TokenKind, pattern: RegExp];

const rule = (kind: TokenKind, ...patterns: string[]): Rule => [kind, new RegExp(patterns.join('|'), 'y')];

// Both dialects read every character from U+0080 on as part of an identifier, also those that Unicode calls spaces.
const LETTER = 'A-Za-z_\\u0080-\\uffff';
const BLANK = '[ \\t\\n\\r\\f\\v]';
const WORD = rule('word', `[${LETTER}][${LETTER}0-9$]*`);
const QUOTED = rule('quoted', '"(?:[^"]+|"")*"');
/** With letters that follow it: no identifier begins with a digit. */
const NUMBER = rule('literal', `(?:\\d|\\.\\d)(?:[eE][+-]|[${LETTER}0-9.])*`);
/** No statement goes on after this character. */
const REST = rule('literal', '\\0[^]*');

/** A quoted string, to the end of the text if it isn't closed. */
const string = (prefix: string): string => `${prefix}'(?:[^']+|'')*(?:'|$)`;

// In `E'…'` a backslash escapes. Such a string goes on in the next line, also after a comment.
const ESCAPED = "(?:[^'\\\\]+|''|\\\\[^])*";
const NEXT_LINE = `(?:[ \\t\\f\\v]|--[^\\n\\r]*)*[\\n\\r](?:${BLANK}|--[^\\n\\r]*[\\n\\r])*`;
const ESCAPE_STRING = `[eE]'${ESCAPED}(?:'${NEXT_LINE}'${ESCAPED})*(?:'|\\\\?$)`;

/** The first rule that fits is taken. */
const RULES: Record<SqlDialect, readonly Rule[]> = {
  postgresql: [
    REST,
    rule('space', `${BLANK}+`, '--[^\\n\\r]*'),
    rule('literal', ESCAPE_STRING, string('(?:[bBxXnN]|[uU]&)?')),
    rule('literal', `\\$((?:[${LETTER}][${LETTER}0-9]*)?)\\$[^]*?(?:\\$\\1\\$|$)`),
    rule('parameter', '\\$\\d+'),
    WORD,
    QUOTED,
    rule('literal', '"[^]*'),
    NUMBER,
  ],
  sqlite: [
    REST,
    rule('space', `${BLANK}+`, '--[^\\n]*', '\\/\\*[^]*?(?:\\*\\/|$)'),
    rule('literal', string('[xX]?')),
    // A parameter of Tcl: what is in its parentheses may be anything, also a quote.
    rule('literal', `[$:@#](?:[${LETTER}0-9$]|::)+\\([^ \\t\\n\\r\\f\\v)]*\\)?`),
    rule('parameter', '\\?\\d*', `[$:@#](?:[${LETTER}0-9$]|::)+`),
    WORD,
    QUOTED,
    rule('quoted', '`(?:[^`]+|``)*`', '\\[[^\\]]*\\]'),
    rule('literal', '["`[][^]*'),
    NUMBER,
  ],
};

/** The tokens of the text, in order. Together they are the text. */
export function scanSql(sql: string, dialect: SqlDialect): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    const token = tokenAt(sql, at, dialect);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(sql: string, at: number, dialect: SqlDialect): Token {
  if (dialect === 'postgresql' && sql.startsWith('/*', at))
    return { kind: 'space', text: sql.slice(at, endOfNestedComment(sql, at)) };
  for (const [kind, pattern] of RULES[dialect]) {
    pattern.lastIndex = at;
    const match = pattern.exec(sql);
    if (match) return { kind, text: match[0] };
  }
  return { kind: 'sign', text: sql.charAt(at) };
}

/** PostgreSQL's comments nest. */
function endOfNestedComment(sql: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(sql); mark; mark = marks.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return sql.length;
}
