/** A piece of SQL text. White space isn't a token; `offset` shows where it is. */
export interface Token {
  kind: 'word' | 'string' | 'body' | 'comment' | 'other';
  text: string;
  offset: number;
}

const TOKEN =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|(?<body>(?<tag>\$\w*\$)[\s\S]*?\k<tag>)|(?<string>[eE]?'(?:[^']|'')*')|(?<word>"(?:[^"]|"")*"|[\w$]+)|(?<other>::|:=|=>|[^\s\w])/g;

export function readTokens(sql: string): Token[] {
  return [...sql.matchAll(TOKEN)].map((match) => {
    const groups = match.groups ?? {};
    const kind = (['comment', 'body', 'string', 'word'] as const).find((name) => groups[name] !== undefined);
    return { kind: kind ?? 'other', text: match[0], offset: match.index };
  });
}

/** The offset after the token. */
export const endOf = ({ offset, text }: Token): number => offset + text.length;

/** 1 if a token opens a parenthesis or bracket, -1 if it closes one, otherwise 0. */
export const depthChange = ({ text }: Token): number =>
  text === '(' || text === '[' ? 1 : text === ')' || text === ']' ? -1 : 0;

export const hasComment = (sql: string): boolean => readTokens(sql).some(({ kind }) => kind === 'comment');

/** The contents of a dollar-quoted text. */
export const insideBody = (body: string): string => body.replace(/^\$\w*\$|\$\w*\$$/g, '');

/** Joins a text of several lines to one line. */
export const joinLines = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim();
