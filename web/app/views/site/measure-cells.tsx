import { Link } from 'wouter-preact';
import { type Dimension, withFilter } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { Change } from './change.tsx';

interface ChangeBesideProps {
  now: number;
  /** Undefined: not compared; null: not measured in the other range. */
  before: number | null | undefined;
  lessIsBetter?: boolean;
}

/** How a figure differs from that of the other range, if there is one. */
export const ChangeBeside = ({ before, ...change }: ChangeBesideProps) =>
  before === undefined ? null : (
    <small>
      <Change {...change} before={before} />
    </small>
  );

interface KeepingCellProps {
  dimension: Dimension;
  /** As a filter takes it. */
  value: string;
  /** As people know it. */
  shown?: string | undefined;
}

/** The name of a row. A click keeps what has this value. */
export function KeepingCell({ dimension, value, shown = value }: KeepingCellProps) {
  const { query, hrefOf } = useSiteQuery();
  return (
    <td>
      <Link
        href={hrefOf(withFilter(query, { dimension, operator: 'is', values: [value] }))}
        aria-label={words.filters.only(shown)}
        title={shown}
      >
        {shown}
      </Link>
    </td>
  );
}
