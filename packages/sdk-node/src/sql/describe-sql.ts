import type { Attributes } from '@opentelemetry/api';
import { maskSql } from './mask-sql.ts';
import { type SqlDialect, scanSql } from './scan-sql.ts';
import { type SqlSummary, summarizeSql } from './summarize-sql.ts';

export interface SqlDescription extends SqlSummary {
  /** The statement without values: `db.query.text`. */
  text: string;
}

/** A longer statement is read up to here. A literal that is cut stays a literal. */
const READ_CHARACTERS = 65_536;
const TEXT_CHARACTERS = 4096;
/** The number of statements remembered by dialect, and the most characters that one may have. */
const REMEMBERED = 1000;
const REMEMBERED_CHARACTERS = 8192;

const remembered: Record<SqlDialect, Map<string, SqlDescription>> = {
  postgresql: new Map(),
  sqlite: new Map(),
};

/** What a span says of a statement. Programs send the same statements over and over, so descriptions are remembered. Never throws. */
export function describeSql(sql: string, dialect: SqlDialect): SqlDescription {
  const known = remembered[dialect];
  const found = known.get(sql);
  if (found) return found;
  const tokens = scanSql(sql.slice(0, READ_CHARACTERS), dialect);
  const description = { ...summarizeSql(tokens), text: maskSql(tokens).slice(0, TEXT_CHARACTERS) };
  if (sql.length > REMEMBERED_CHARACTERS) return description;
  if (known.size >= REMEMBERED) known.clear();
  known.set(sql, description);
  return description;
}

/** The name and the attributes of a statement's span, which may be added to. */
export function spanOfSql(sql: string, dialect: SqlDialect): { name: string; attributes: Attributes } {
  const { text, summary, operation } = describeSql(sql, dialect);
  const attributes: Attributes = { 'db.system.name': dialect };
  if (text !== '') attributes['db.query.text'] = text;
  if (summary !== '') attributes['db.query.summary'] = summary;
  if (operation !== '') attributes['db.operation.name'] = operation;
  return { name: summary || dialect, attributes };
}
