import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { isWithheld, useReader } from '../../api/reader.ts';
import { Failure } from '../../parts/failure.tsx';
import { More } from '../../parts/paged.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { type Asked, withFilter } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { type Exported, exportHref, FORMATS } from './exports.ts';
import type { List } from './panels.ts';
import type { useShownRows } from './use-shown-rows.ts';

export interface DetailsProps {
  list: List;
  asked: Asked;
  /** What the names of rows contain; empty: anything. */
  search: string;
}

interface DetailsTableProps<Row extends { value: string }> extends DetailsProps {
  shown: ReturnType<typeof useShownRows<Row>>;
  /** The heads of its figures. */
  head: ComponentChildren;
  row: (row: Row) => ComponentChildren;
  notes: (rows: readonly Row[]) => readonly string[];
  exported: Exported & { report: string };
}

/** A list's rows with a head, what their figures are of, and the same rows as files. */
export function DetailsTable<Row extends { value: string }>(props: DetailsTableProps<Row>) {
  const { list, asked, search, shown, head, row, notes } = props;
  const { error, refetch, rows } = shown;
  const reader = useReader();
  const { report, ...exported } = {
    ...props.exported,
    ...(search !== '' && list.show === undefined && { search }),
  };
  const name = words.dimensions[list.dimension].list;
  return (
    <>
      {error && <Failure error={error} retry={refetch} />}
      <Scrolls label={name}>
        <table class="list-table details">
          <thead>
            <tr>
              <th>{name}</th>
              {head}
            </tr>
          </thead>
          <tbody>{rows?.map(row)}</tbody>
        </table>
        {rows === undefined && !error && <p class="empty">{words.loading}</p>}
        {rows?.length === 0 && !shown.hasNextPage && (
          <p class="empty" role="status">
            {shown.first && isWithheld(shown.first.meta)
              ? words.share.tooFewText
              : search === ''
                ? words.empty.none
                : words.list.notFound}
          </p>
        )}
      </Scrolls>
      <More of={shown} />
      {rows &&
        notes(rows).map((note) => (
          <p key={note} class="soft small">
            {note}
          </p>
        ))}
      {reader.shows === undefined && (
        <footer>
          {FORMATS.map((format) => (
            <a key={format} class="button" href={exportHref(report, format, asked, exported)} download>
              {format.toUpperCase()}
            </a>
          ))}
        </footer>
      )}
    </>
  );
}

/** A row's name, which keeps the visits of its value. */
export function NameCell({ list: { dimension, show }, value }: { list: List; value: string }) {
  const { query, hrefOf } = useSiteQuery();
  return (
    <td>
      <Link href={hrefOf(withFilter(query, { dimension, operator: 'is', values: [value] }))}>
        {show?.(value) ?? value}
      </Link>
    </td>
  );
}
