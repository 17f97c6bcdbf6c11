/** A piece of SQL text. White space isn't a token. */
export interface Token {
  kind: 'word' | 'string' | 'body' | 'comment' | 'other';
  text: string;
}

const TOKEN =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|(?<body>(?<tag>\$\w*\$)[\s\S]*?\k<tag>)|(?<string>[eE]?'(?:[^']|'')*')|(?<word>"(?:[^"]|"")*"|[\w$]+)|(?<other>::|:=|=>|[^\s\w])/g;

export function readTokens(sql: string): Token[] {
  return [...sql.matchAll(TOKEN)].map((match) => {
    const groups = match.groups ?? {};
    const kind = (['comment', 'body', 'string', 'word'] as const).find((name) => groups[name] !== undefined);
    return { kind: kind ?? 'other', text: match[0] };
  });
}

/** 1 if a token opens a parenthesis or bracket, -1 if it closes one, otherwise 0. */
export const depthChange = ({ text }: Token): number =>
  text === '(' || text === '[' ? 1 : text === ')' || text === ']' ? -1 : 0;

/** The contents of a dollar-quoted text. */
export const insideBody = (body: string): string => body.replace(/^\$\w*\$|\$\w*\$$/g, '');
