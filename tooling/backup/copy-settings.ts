import pg from 'pg';
import type { TablePart } from './backup-file.ts';

/** Two servers write and read values alike only with the same settings. No limit of time ends a long copy. */
export const SAME_TEXT =
  "set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres'; " +
  "set local extra_float_digits = 1; set local bytea_output = 'hex'; set local statement_timeout = 0; " +
  'set local idle_in_transaction_session_timeout = 0';

/** The table and its columns, as `copy` names them. */
export const copyTarget = ({ name, columns }: TablePart): string =>
  `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column.name)).join(', ')})`;

/** Ends a connection in the middle of what it does. Its transaction is rolled back. */
export function disconnect(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}
