import { useEffect } from 'preact/hooks';
import type { ListMeta } from '../../api/operations.generated.ts';
import { type Part, useReader } from '../../api/reader.ts';
import { usePages } from '../../parts/paged.tsx';
import type { Asked } from '../../state/site-query.ts';
import type { List } from './panels.ts';

const ROWS = 50;
/** As many as the API gives at once. */
const ALL_ROWS = 100;

interface Shown<Row> {
  list: List;
  /** The report that has the rows. Default: that of the list. */
  report?: string;
  asked: Asked;
  search: string;
  /** Its own parameters. */
  part: Part;
  rowsOf: (data: readonly object[]) => Row[];
}

/** The rows that are searched for. The API knows no names in the reader's language: such lists are read whole and searched here. */
export function useShownRows<Row extends { value: string }>({ list, search, part, ...of }: Shown<Row>) {
  const reader = useReader();
  const { show } = list;
  const { report = list.report, asked } = of;
  const searchesHere = show !== undefined && search !== '';
  const wanted = {
    ...part,
    limit: searchesHere ? ALL_ROWS : ROWS,
    ...(search !== '' && !searchesHere && { search }),
  };
  const { rows, ...pages } = usePages<object, { data: object[]; meta: ListMeta }>(
    ['details', reader.key, report, asked, wanted],
    (next, signal) => reader.page(report, asked, { ...wanted, ...next }, signal),
  );
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  useEffect(() => {
    if (searchesHere && hasNextPage && !isFetching) void fetchNextPage();
  }, [searchesHere, hasNextPage, isFetching, fetchNextPage]);
  const all = rows && of.rowsOf(rows);
  const isFound = ({ value }: Row): boolean =>
    `${show?.(value)} ${value}`.toLocaleLowerCase().includes(search.toLocaleLowerCase());
  return { ...pages, rows: searchesHere ? all?.filter(isFound) : all };
}
