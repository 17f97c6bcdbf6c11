/** The work of a fill in pieces. Each is done once, also if the fill is interrupted and continued. */
import type { Sql } from '../../lib/db.ts';
import type { Statements } from '../reports/store-day.ts';

/** Called after each piece with its name and its rows. */
export type OnPiece = (name: string, rows: number) => void;

export interface Pieces {
  isDone(name: string): boolean;
  /** Runs statements and notes the piece in one transaction, unless it is done. */
  once(name: string, rows: number, statements: () => Statements): Promise<void>;
  /** Runs work that may run twice, and notes the piece after it, unless it is done. */
  repeatable(name: string, rows: number, work: () => Promise<unknown>): Promise<void>;
  /** The rows of all pieces that are done, also by earlier runs. */
  rows(): number;
}

export async function openPieces(sql: Sql, onPiece: OnPiece): Promise<Pieces> {
  const known = await sql`select name, rows::float8 as rows from bench.pieces`;
  const done = new Map(known.map(({ name, rows }) => [name as string, rows as number]));
  const note = (name: string, rows: number) =>
    sql`insert into bench.pieces (name, rows) values (${name}, ${rows}::bigint)`;
  const end = (name: string, rows: number): void => {
    done.set(name, rows);
    onPiece(name, rows);
  };
  return {
    isDone: (name) => done.has(name),
    once: async (name, rows, statements) => {
      if (done.has(name)) return;
      // The primary key lets no second fill do the same piece.
      await sql.transaction([...statements(), note(name, rows)]);
      end(name, rows);
    },
    repeatable: async (name, rows, work) => {
      if (done.has(name)) return;
      await work();
      await note(name, rows);
      end(name, rows);
    },
    rows: () => [...done.values()].reduce((sum, rows) => sum + rows, 0),
  };
}
