/** A piece of SQL text: white space is no token, but is known by `offset`. */
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

/** Where the token ends. */
export const endOf = ({ offset, text }: Token): number => offset + text.length;

/** By how much a token opens (1) or closes (-1) a parenthesis or bracket. */
export const depthChange = ({ text }: Token): number =>
  text === '(' || text === '[' ? 1 : text === ')' || text === ']' ? -1 : 0;

export const hasComment = (sql: string): boolean => readTokens(sql).some(({ kind }) => kind === 'comment');

/** What a dollar-quoted text holds. */
export const insideBody = (body: string): string => body.replace(/^\$\w*\$|\$\w*\$$/g, '');

/** Text of several lines on one. */
export const joinLines = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim();
