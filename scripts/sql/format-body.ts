import { formatQuery, LINE_WIDTH } from './format-query.ts';
import { depthChange, endOf, hasComment, joinLines, readTokens, type Token } from './tokens.ts';

/** Formats the body of a PL/pgSQL function: blocks and branches here, queries and expressions by `formatQuery`. */
export function formatBody(body: string): string[] {
  const tokens = readTokens(body);
  const lines: string[] = [];
  let depth = 0;
  let declares = false;
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token;
    const before = tokens[at - 1];
    if (before && /\n\s*\n/.test(body.slice(endOf(before), token.offset))) lines.push('');

    /** Returns the text before the next occurrence of the word, and reads past the word. */
    const takeUntil = (word: string): string => {
      const end = findWord(tokens, at, word);
      if (end === undefined)
        throw new Error(`No ${word} after: ${body.slice(token.offset, token.offset + 80)}`);
      at = end + 1;
      return body.slice(token.offset, tokens[end]?.offset).trim();
    };

    switch (token.kind === 'comment' ? 'comment' : token.text) {
      case 'comment':
        if (before && !body.slice(endOf(before), token.offset).includes('\n'))
          lines.push(`${lines.pop()} ${token.text}`);
        else lines.push(pad(depth) + token.text);
        at++;
        break;
      case 'declare':
        lines.push(`${pad(depth++)}declare`);
        declares = true;
        at++;
        break;
      case 'begin':
        if (declares) depth--;
        declares = false;
        lines.push(`${pad(depth++)}begin`);
        at++;
        break;
      case 'loop':
        lines.push(`${pad(depth++)}loop`);
        at++;
        break;
      case 'else':
        lines.push(`${pad(depth - 1)}else`);
        at++;
        break;
      case 'end':
        // The last statement has no semicolon.
        lines.push(pad(--depth) + (tokens[at + 1] ? `${joinLines(takeUntil(';'))};` : 'end'));
        if (depth === 0) at = tokens.length;
        break;
      case 'exception':
      case 'when':
        lines.push(`${pad(depth - 1)}${joinLines(takeUntil('then'))} then`);
        break;
      case 'if':
        lines.push(...formatExpression('if ', takeUntil('then').slice('if '.length), ' then', depth++));
        break;
      case 'elsif':
        lines.push(
          ...formatExpression('elsif ', takeUntil('then').slice('elsif '.length), ' then', depth - 1),
        );
        break;
      case 'for':
      case 'foreach':
      case 'while':
        lines.push(...formatLoop(takeUntil('loop'), depth++));
        break;
      default:
        lines.push(...formatStatement(takeUntil(';'), depth));
    }
  }
  return lines;
}

const pad = (depth: number): string => '  '.repeat(depth);

/** The position of the next occurrence of the word, outside of parentheses and of `case`. */
function findWord(tokens: readonly Token[], from: number, word: string): number | undefined {
  let parentheses = 0;
  let cases = 0;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (parentheses === 0 && cases === 0 && token.text === word) return at;
    parentheses += depthChange(token);
    if (token.text === 'case') cases++;
    if (token.text === 'end' && cases > 0) cases--;
  }
  return undefined;
}

function formatLoop(loop: string, depth: number): string[] {
  const [, head = '', query = ''] =
    /^(for\s+[\w,\s]+?\s+in)\s+((?:--[^\n]*\s+)*(?:select|with)\b.*)$/s.exec(loop) ?? [];
  return query === '' ? [`${pad(depth)}${joinLines(loop)} loop`] : formatQueryOf(head, query, ' loop', depth);
}

function formatStatement(statement: string, depth: number): string[] {
  if (readTokens(statement).some(({ kind }) => kind === 'body')) return [`${pad(depth)}${statement};`];
  if (/^(select|with|insert|update|delete)\b/.test(statement)) {
    return withEnd(formatQuery(statement, { indent: depth * 2 }), ';');
  }
  const [, performed] = /^perform\s+(.*)$/s.exec(statement) ?? [];
  if (performed !== undefined) return withEnd(formatSelect('perform', performed, 1, depth), ';');
  const [, opener = '', query = ''] =
    /^(return\s+query|open\s+\w+\s+for)\s+((?:select|with)\b.*)$/s.exec(statement) ?? [];
  if (query !== '') return formatQueryOf(opener, query, ';', depth);
  const [, start = '', expression = '', clauses = ''] =
    /^([\w.[\]\s+-]+ :=\s|return\s|(?:exit|continue)\s+when\s|raise\s)(.*)$/s.exec(statement) ??
    /^(execute\s)(.*?)(\s+(?:into|using)\s[^()]*)?$/s.exec(statement) ??
    [];
  if (start === '') return [`${pad(depth)}${joinLines(statement)};`];
  const end = `${clauses === '' ? '' : ` ${joinLines(clauses)}`};`;
  return formatExpression(`${joinLines(start)} `, expression, end, depth);
}

/** Writes `before`, an expression and `after`, on one line or on several. */
function formatExpression(before: string, expression: string, after: string, depth: number): string[] {
  const oneLine = pad(depth) + joinLines(before + expression + after);
  if (oneLine.length <= LINE_WIDTH && !hasComment(expression)) return [oneLine];
  const longer = Math.max(before.length + after.length - 'select '.length, 0);
  const lines = formatSelect(before.trimEnd(), expression, longer, depth);
  return after === ' then' ? [...lines, `${pad(depth)}then`] : withEnd(lines, after);
}

/** Formats an expression like a `select` list and puts another word, `longer` columns longer, instead of `select`. */
function formatSelect(word: string, expression: string, longer: number, depth: number): string[] {
  const [first = '', ...others] = formatQuery(`select ${expression}`, { indent: depth * 2 + longer }).map(
    (line) => line.slice(longer),
  );
  return [first.replace('select', word), ...others];
}

/** Writes `before`, a query and `after` on one line, or with the query on lines of its own. */
function formatQueryOf(before: string, query: string, after: string, depth: number): string[] {
  const start = pad(depth) + joinLines(before);
  const lines = formatQuery(query, { indent: depth * 2 + 2 });
  const oneLine = `${start} ${lines[0]?.trim()}${after}`;
  if (lines.length === 1 && oneLine.length <= LINE_WIDTH) return [oneLine];
  return [start, ...(after === ' loop' ? [...lines, `${pad(depth)}loop`] : withEnd(lines, after))];
}

const withEnd = (lines: string[], end: string): string[] => [...lines.slice(0, -1), `${lines.at(-1)}${end}`];
