import type { Token } from './scan-sql.ts';

export interface SqlSummary {
  /** The first word, in upper case: `db.operation.name`. Empty if the statement has none. */
  operation: string;
  /** Operations and their tables in the order of the text, such as `INSERT orders SELECT baskets`: `db.query.summary`. */
  summary: string;
}

/** Longer summaries end with the last table that fits. */
const MAX_CHARACTERS = 255;
/** Operations that name tables. */
const OPERATIONS = new Set([
  'SELECT',
  'INSERT',
  'REPLACE',
  'UPDATE',
  'DELETE',
  'MERGE',
  'CREATE',
  'ALTER',
  'DROP',
  'TRUNCATE',
  'COPY',
]);
/** After one of them comes a table. */
const BEFORE_TABLE = new Set([
  'FROM',
  'JOIN',
  'INTO',
  'UPDATE',
  'TABLE',
  'TRUNCATE',
  'COPY',
  'INDEX',
  'VIEW',
  'USING',
]);
/** They may stand between such a word and the table. */
const FILLERS = new Set([
  'IF',
  'CONCURRENTLY',
  'NOT',
  'EXISTS',
  'ONLY',
  'LATERAL',
  'TABLE',
  'OR',
  'IGNORE',
  'ROLLBACK',
  'ABORT',
  'FAIL',
  'INTO',
]);
/** After a comma comes one more table only in these lists. */
const LISTS = new Set(['FROM', 'TABLE', 'TRUNCATE', 'USING']);
const ENDS_LIST = new Set([
  'WHERE',
  'GROUP',
  'ORDER',
  'HAVING',
  'LIMIT',
  'SET',
  'ON',
  'RETURNING',
  'UNION',
  'WINDOW',
  'VALUES',
]);

/** Before an operation: it is a part of another one, such as `FOR UPDATE` and `ON CONFLICT DO UPDATE`. */
const CLAUSES = new Set(['DO', 'FOR', 'KEY', 'THEN']);

/** What a parenthesis, or the whole statement, is about. */
interface Level {
  /** It has an operation, so that FROM is followed by a table and is no part of a function such as `extract(day from at)`. */
  isStatement: boolean;
  /** A table comes next. */
  awaitsTable: boolean;
  /** A comma is followed by one more table. */
  inList: boolean;
}

/** Never throws. */
export function summarizeSql(tokens: Iterable<Token>): SqlSummary {
  const words: string[] = [];
  const levels: Level[] = [];
  let level: Level = newLevel();
  let operation = '';
  let before = '';
  let table = '';
  const endTable = (): void => {
    if (table !== '') words.push(table);
    table = '';
  };
  for (const token of tokens) {
    if (token.kind === 'space') continue;
    const { kind, text } = token;
    const upper = kind === 'word' ? text.toUpperCase() : text;
    if (kind === 'word' && operation === '') operation = upper;
    if (level.awaitsTable && isName(token) && !(kind === 'word' && FILLERS.has(upper))) {
      table = text;
      level.awaitsTable = false;
    } else if (table !== '' && (text === '.' || (before === '.' && isName(token)))) table += text;
    else {
      endTable();
      if (text === '(') {
        levels.push(level);
        level = newLevel();
      } else if (text === ')') level = levels.pop() ?? newLevel();
      else if (text === ',') level.awaitsTable = level.inList;
      else if (kind === 'word') readWord(upper);
      else level.awaitsTable = false;
    }
    before = upper;
  }
  endTable();
  return { operation, summary: joinWords(words.length > 0 ? words : [operation]) };

  function readWord(word: string): void {
    const isClause = CLAUSES.has(before);
    // Elsewhere `replace` is a function.
    if (OPERATIONS.has(word) && !isClause && (word !== 'REPLACE' || operation === word)) {
      words.push(word);
      level.isStatement = true;
    }
    if (BEFORE_TABLE.has(word) && !isClause && before !== 'DISTINCT' && level.isStatement) {
      level.awaitsTable = true;
      level.inList = LISTS.has(word);
    } else if (ENDS_LIST.has(word)) level.inList = false;
  }
}

const newLevel = (): Level => ({ isStatement: false, awaitsTable: false, inList: false });

const isName = ({ kind }: Token): boolean => kind === 'word' || kind === 'quoted';

function joinWords(words: readonly string[]): string {
  let summary = '';
  for (const word of words) {
    const longer = summary === '' ? word : `${summary} ${word}`;
    if (longer.length > MAX_CHARACTERS) break;
    summary = longer;
  }
  return summary;
}
