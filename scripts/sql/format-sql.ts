import { formatBody } from './format-body.ts';
import { formatQuery, LINE_WIDTH } from './format-query.ts';
import { depthChange, endOf, insideBody, joinLines, readTokens, type Token } from './tokens.ts';

interface Format {
  indent?: number;
  /** Bodies of functions stay as they are. */
  keepsBodies?: boolean;
}

/** Formats a file of `schema/`. Throws if the result would have a different meaning. */
export function formatSql(text: string, format: Pick<Format, 'keepsBodies'> = {}): string {
  const result = `${wrapComments(formatStatements(text, format)).join('\n').trim()}\n`;
  const [before, after] = [essence(text), essence(result)];
  const at = before.findIndex((said, n) => said !== after[n]);
  if (at >= 0 || before.length !== after.length) {
    throw new Error(`Formatting would change: ${before.slice(Math.max(0, at - 5), at + 3).join(' ')}`);
  }
  return result;
}

/** The statements with the comments before them. Blank lines between two statements become one. */
function formatStatements(text: string, format: Format): string[] {
  const lines: string[] = [];
  const tokens = readTokens(text);
  let last = 0;
  for (let at = 0; at < tokens.length; ) {
    const first = tokens[at] as Token;
    if (last > 0 && /\n\s*\n/.test(text.slice(last, first.offset))) lines.push('');
    if (first.kind === 'comment') {
      lines.push(' '.repeat(format.indent ?? 0) + first.text);
      last = endOf(first);
      at++;
      continue;
    }
    let depth = 0;
    const start = at;
    for (; at < tokens.length; at++) {
      const token = tokens[at] as Token;
      depth += depthChange(token);
      if (depth === 0 && token.text === ';') break;
    }
    const end = tokens[at];
    const statement = tokens.slice(start, at);
    const formatted = formatStatement(text.slice(first.offset, endOf(statement.at(-1) as Token)), format);
    if (end) formatted.push(`${formatted.pop()};`);
    lines.push(...formatted);
    last = endOf(end ?? (statement.at(-1) as Token));
    at++;
  }
  return lines;
}

function formatStatement(statement: string, format: Format): string[] {
  const body = readTokens(statement).find(({ kind }) => kind === 'body');
  if (/^create (or replace )?function\b/.test(statement) && body)
    return formatFunction(statement, body, format);
  if (/^do\b/.test(statement) && body) return ['do $$', ...formatBody(insideBody(body.text)), '$$'];
  if (/^comment on\b/.test(statement)) return formatComment(statement);
  return formatQuery(statement, {
    indent: format.indent ?? 0,
    isTable: /^create table [^(]*\(/.test(statement),
  });
}

function formatFunction(statement: string, body: Token, { keepsBodies = false }: Format): string[] {
  const head = statement.slice(0, body.offset);
  const language = /\blanguage (sql|plpgsql)\b/.exec(head);
  if (!language) throw new Error(`A function without its language: ${head}`);
  const [quote = '$$'] = /^\$\w*\$/.exec(body.text) ?? [];
  const inner = insideBody(body.text);
  return [
    ...formatSignature(joinLines(head.slice(0, language.index))),
    ...(keepsBodies
      ? [`${joinLines(head.slice(language.index))} ${statement.slice(body.offset)}`]
      : [
          `${joinLines(head.slice(language.index))} ${quote}`,
          ...(language[1] === 'plpgsql' ? formatBody(inner) : formatStatements(inner, { indent: 2 })),
          `${quote}${joinLines(statement.slice(endOf(body)))}`,
        ]),
  ];
}

/** `create function name(...) returns ...`: on one line, or with the result on its own line, or with long lists broken. */
function formatSignature(signature: string): string[] {
  if (signature.length <= LINE_WIDTH) return [signature];
  const tokens = readTokens(signature);
  let depth = 0;
  const close = tokens.find((token) => {
    depth += depthChange(token);
    return token.text === ')' && depth === 0;
  });
  if (!close) return [signature];
  return [signature.slice(0, endOf(close)), signature.slice(endOf(close)).trim()]
    .filter(Boolean)
    .flatMap(fillParentheses);
}

function fillParentheses(text: string): string[] {
  const open = text.indexOf('(');
  if (text.length <= LINE_WIDTH || open < 0) return [text];
  const lines = [text.slice(0, open + 1)];
  for (const part of text.slice(open + 1, text.lastIndexOf(')')).split(/(?<=,) /)) {
    const last = lines.at(-1) ?? '';
    if (lines.length > 1 && last.length + 1 + part.length <= LINE_WIDTH)
      lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(`  ${part}`);
  }
  return [...lines, text.slice(text.lastIndexOf(')'))];
}

/** `comment on ... is '...'`. A long text is split into several strings, which PostgreSQL joins. */
function formatComment(statement: string): string[] {
  const strings = readTokens(statement).filter(({ kind }) => kind === 'string');
  const head = joinLines(statement.slice(0, strings[0]?.offset));
  const text = strings.map((token) => token.text.slice(1, -1)).join('');
  const oneLine = `${head} '${text}'`;
  return oneLine.length < LINE_WIDTH
    ? [oneLine]
    : [
        head,
        ...fill(text, LINE_WIDTH - 5).map(
          (part, n, parts) => `  '${part}${n < parts.length - 1 ? ' ' : ''}'`,
        ),
      ];
}

function fill(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Wraps comments again if one of their lines is too long. */
function wrapComments(lines: string[]): string[] {
  const result: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const [, margin = ''] = /^( *)-- ?\S/.exec(lines[at] ?? '') ?? [];
    let end = at;
    while (/^ *-- ?\S/.test(lines[end] ?? '')) end++;
    const comment = lines.slice(at, end);
    if (comment.some((line) => line.length > LINE_WIDTH + 1)) {
      const text = comment.map((line) => line.trim().replace(/^-- ?/, '')).join(' ');
      result.push(...fill(text, LINE_WIDTH - margin.length - 3).map((line) => `${margin}-- ${line}`));
    } else result.push(...lines.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1);
  }
  return result;
}

/** The meaning of a text: its tokens, with neighbouring comments and strings joined. */
function essence(text: string): string[] {
  const said: { kind: string; text: string }[] = [];
  for (const token of readTokens(text)) {
    const last = said.at(-1);
    if (token.kind === 'body')
      said.push(...essence(insideBody(token.text)).map((part) => ({ kind: 'body', text: part })));
    else if (token.kind === 'comment') {
      const words = token.text.replaceAll(/--|\s/g, '');
      if (last?.kind === 'comment') last.text += words;
      else said.push({ kind: 'comment', text: words });
    } else if (token.kind === 'string' && last?.kind === 'string') {
      last.text = last.text.slice(0, -1) + token.text.slice(1);
    } else said.push({ kind: token.kind, text: token.text });
  }
  return said.map((part) => part.text);
}
