import { type FormatOptionsWithDialect, formatDialect, postgresql } from 'sql-formatter';
import { depthChange, hasComment, readTokens } from './tokens.ts';

/** Maximum columns of a line that can be broken; one column is left for a semicolon. */
export const LINE_WIDTH = 118;

const TAKEN_APART: FormatOptionsWithDialect = {
  dialect: postgresql,
  tabWidth: 2,
  expressionWidth: 1,
  // sql-formatter would treat its `from` as a clause.
  paramTypes: { custom: [{ regex: 'rows\\s+from' }] },
};

/** A line of sql-formatter with the lines that are indented below it. */
interface Block {
  text: string;
  children: Block[];
  /** A closing parenthesis or `end`, with the text after it. */
  tail?: Block;
  /** Lines that begin with `and` or `or`. */
  conditions: Block[];
}

export interface QueryFormat {
  indent?: number;
  /** Each column definition gets a line of its own. */
  isTable?: boolean;
}

/**
 * Formats one statement. sql-formatter splits it into short lines and shows by indentation which parts belong together. Here parts that
 * fit on one line are joined again, and short parts of lists fill their lines.
 */
export function formatQuery(sql: string, { indent = 0, isTable = false }: QueryFormat = {}): string[] {
  const apart = withoutNewBlanks(formatDialect(sql, TAKEN_APART), sql);
  const blocks = readBlocks(apart.split('\n').filter((line) => line.trim() !== ''));
  if (isTable) {
    return blocks.flatMap((block) =>
      opens(block)
        ? [
            block.text,
            ...block.children.flatMap((child) => print(child, 2)),
            ...(block.tail ? print(block.tail, 0) : []),
          ]
        : print(block, 0),
    );
  }
  return printAll(blocks, indent);
}

/** Removes blanks before `(` and `[` that the source doesn't have, so that `f(x)` stays a call. */
function withoutNewBlanks(formatted: string, source: string): string {
  let at = 0;
  return formatted.replace(/(\s*)(\S)/g, (_, blank: string, character: string) => {
    const start = at;
    while (/\s/.test(source[at] ?? '')) at++;
    if (source[at] !== character) throw new Error(`sql-formatter changes: ${source.slice(at - 40, at + 40)}`);
    at++;
    return blank === ' ' && start === at - 1 && '(['.includes(character) ? character : blank + character;
  });
}

function readBlocks(lines: string[]): Block[] {
  const root: Block = { text: '', children: [], conditions: [] };
  const open: { indent: number; block: Block }[] = [{ indent: -1, block: root }];
  for (const line of lines) {
    const text = line.trim();
    const indent = line.length - line.trimStart().length;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const siblings = (open.at(-1)?.block ?? root).children;
    const block: Block = { text, children: [], conditions: [] };
    const before = siblings.at(-1);
    if (before && /^(\)|\]|end\b)/.test(text)) lastPart(before).tail = block;
    else if (before && /^(and|or)\b/.test(text) && !isComment(before)) {
      const alternative = before.conditions.at(-1);
      if (text.startsWith('and') && alternative?.text.startsWith('or')) alternative.conditions.push(block);
      else before.conditions.push(block);
    } else if (before && text === 'set' && lastPart(before).text.endsWith('do update')) {
      const conflict = lastPart(before);
      conflict.text += ' set';
      open.push({ indent, block: conflict });
      continue;
    } else siblings.push(block);
    open.push({ indent, block });
  }
  return withInto(withCommentsBeforeClauses(root.children));
}

/** sql-formatter treats PL/pgSQL's `into` as a part of the list before it; here it becomes a clause. */
function withInto(blocks: Block[]): Block[] {
  return blocks.flatMap((block) => {
    const at = block.children.findIndex((child) => / into \w+,?$/.test(lastPart(child).text));
    const last = block.children[at];
    if (!block.text.startsWith('select') || !last) return [block];
    const [, text = '', into = ''] = /^(.*) into (\w+,?)$/.exec(lastPart(last).text) ?? [];
    lastPart(last).text = text;
    const children = [{ text: into, children: [], conditions: [] }, ...block.children.splice(at + 1)];
    return [block, { text: 'into', children, conditions: [] }];
  });
}

/** A comment at the end of a clause belongs to the next clause. */
function withCommentsBeforeClauses(blocks: Block[]): Block[] {
  return blocks.flatMap((block) => {
    for (let part: Block | undefined = block; part; part = part.tail) {
      part.children = withCommentsBeforeClauses(part.children);
      part.conditions = withCommentsBeforeClauses(part.conditions);
    }
    const last = block.children.findLastIndex((child) => !isComment(child));
    return block.tail || opens(block) || isComment(block)
      ? [block]
      : [block, ...block.children.splice(last + 1)];
  });
}

const lastPart = (block: Block): Block => {
  const last = block.conditions.at(-1);
  if (last) return lastPart(last);
  return block.tail ? lastPart(block.tail) : block;
};

const isComment = ({ text }: Block): boolean => text.startsWith('--') || text.startsWith('/*');
const opens = ({ text }: Pick<Block, 'text'>): boolean => /[([]$/.test(text);

/** The block as one line; undefined if a comment ends one of its lines. */
function flat(block: Block): string | undefined {
  if (hasComment(block.text)) return undefined;
  let result = block.text;
  for (const [n, child] of block.children.entries()) {
    const text = flat(child);
    if (text === undefined) return undefined;
    result += (n === 0 && opens(block) ? '' : ' ') + text;
  }
  if (block.tail) {
    const text = flat(block.tail);
    if (text === undefined) return undefined;
    result += (/^[)\]]/.test(text) ? '' : ' ') + text;
  }
  for (const condition of block.conditions) {
    const text = flat(condition);
    if (text === undefined) return undefined;
    result += ` ${text}`;
  }
  return result;
}

function fits(blocks: Block[], indent: number): string | undefined {
  if (blocks.some(({ text, children }) => text === 'from' && children.length > 2)) return undefined;
  const texts = blocks.map(flat);
  const line = texts.join(' ');
  return texts.includes(undefined) || indent + line.length > LINE_WIDTH ? undefined : line;
}

const pad = (indent: number): string => ' '.repeat(indent);

/** Consecutive blocks: on one line, or each on its own. */
function printAll(blocks: Block[], indent: number): string[] {
  const line = fits(blocks, indent);
  return line === undefined ? blocks.flatMap((block) => print(block, indent)) : [pad(indent) + line];
}

/** @param used columns of the first line that text before the block occupies */
function print(block: Block, indent: number, used = 0): string[] {
  const line = fits([block], indent + used);
  if (line !== undefined) return [pad(indent) + line];
  if (block.conditions.length > 0) {
    const alternatives = block.conditions.findIndex(({ text }) => text.startsWith('or'));
    const first = Math.max(alternatives, 0);
    return [
      ...print({ ...block, conditions: block.conditions.slice(0, first) }, indent, used),
      ...block.conditions.slice(first).flatMap((condition) => print(condition, indent + 2)),
    ];
  }
  const parts = concatenated(flat(block) ?? '');
  const isNarrow = parts.every((part) => indent + used + part.length < LINE_WIDTH);
  if (parts.length > 2 && isNarrow) return fillLines(parts, indent, used);
  const { tail } = block;
  if (!tail) return printOpen(block, indent);
  // For `f(...) as t(...)` the last parentheses are split first.
  const head = opens(tail)
    ? fits([{ ...block, tail: { text: tail.text, children: [], conditions: [] } }], indent + used)
    : undefined;
  if (head !== undefined) return print({ ...tail, text: head }, indent, used);
  return [...printOpen(block, indent), ...print(tail, indent)];
}

/** What `||` puts together outside of parentheses and of `case`, each part with its `||`. */
function concatenated(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const part of text.split(/(?= \|\| )/)) {
    if (depth === 0) parts.push(part.trim());
    else parts.push(`${parts.pop()}${part}`);
    for (const token of readTokens(part)) {
      depth += depthChange(token) + Number(token.text === 'case') - Number(token.text === 'end');
    }
  }
  return parts.filter(Boolean);
}

function fillLines(parts: readonly string[], indent: number, used: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const taken = lines.length === 1 ? used : 0;
    if (last !== undefined && taken + last.length + 1 + part.length <= LINE_WIDTH)
      lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(pad(last === undefined ? indent : indent + 2) + part);
  }
  return lines;
}

/** Clauses whose first part stays on the clause's line. */
const HANGING =
  /^(with|from|where|having|group by|order by|partition by|insert into|delete from|update|using|window|limit|offset|into)$/;

/** A block of several lines, without its tail. */
function printOpen({ text, children }: Block, indent: number): string[] {
  const own = pad(indent) + text;
  const [first, ...others] = children;
  if (first === undefined) return [own];
  const hangs = HANGING.test(text) || children.length === 1 || first.text === 'on (';
  if (opens({ text }) || !hangs || isComment(first)) return [own, ...printList(children, indent + 2)];
  const [line = '', ...lines] = print(first, indent, text.length + 1);
  const aligned =
    text === 'with' ||
    (text === 'from' && others.every((other) => isComment(other) || / join\b/.test(` ${other.text}`)));
  const rest = aligned ? others.flatMap((other) => print(other, indent)) : printList(others, indent + 2);
  return [`${own} ${line.trimStart()}`, ...lines, ...rest];
}

const QUERY = /^(with|select|insert into|update|delete from|values)\b/;

/** Columns of a part of a list that may share its line with others. */
const SHORT_WIDTH = 40;
const isShort = (text: string): boolean => text.length <= SHORT_WIDTH && !/^(when|else)\b/.test(text);

/** Formats the parts of a list. Short ones fill their lines. */
function printList(blocks: Block[], indent: number): string[] {
  if (QUERY.test(blocks.find((block) => !isComment(block))?.text ?? '')) {
    return blocks.flatMap((block) => print(block, indent));
  }
  const lines: string[] = [];
  let filling = false;
  for (const block of blocks) {
    const text = flat(block);
    if (text !== undefined && isShort(text)) {
      const last = lines.at(-1);
      if (filling && last !== undefined && last.length + 1 + text.length <= LINE_WIDTH)
        lines[lines.length - 1] = `${last} ${text}`;
      else lines.push(pad(indent) + text);
      filling = true;
    } else {
      lines.push(...print(block, indent));
      filling = false;
    }
  }
  return lines;
}
