import type { Column } from './columns.ts';
import { csvRecord } from './csv.ts';

/** How items become text, one by one. */
export interface Format {
  contentType: string;
  opening: string;
  item: (item: object) => string;
  /** The text between two items. */
  separator: string;
  closing: string;
}

/** A header with the columns' names, then one record per item. */
export const csvFormat = (columns: readonly Column[]): Format => ({
  contentType: 'text/csv; charset=utf-8; header=present',
  opening: csvRecord(columns.map(({ name }) => name)),
  item: (item) => csvRecord(columns.map(({ cellOf }) => cellOf(item))),
  separator: '',
  closing: '',
});

export const JSON_FORMAT: Format = {
  contentType: 'application/json',
  opening: '[',
  item: (item) => JSON.stringify(item),
  separator: ',\n',
  closing: ']\n',
};
