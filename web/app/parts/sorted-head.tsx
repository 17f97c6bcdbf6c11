import { words } from '../words/index.ts';

interface SortedHeadProps {
  name: string;
  /** What the name means, if it is short for something. */
  title?: string | undefined;
  isSorted: boolean;
  onSort: () => void;
}

/** The head of a column of figures, by which a table is sorted, the largest first. */
export const SortedHead = ({ name, title, isSorted, onSort }: SortedHeadProps) => (
  <th class="number" aria-sort={isSorted ? 'descending' : 'none'}>
    <button type="button" class="sort" title={title ?? words.list.sortBy(name)} onClick={onSort}>
      {name}
      <span aria-hidden="true">{isSorted ? ' ↓' : ''}</span>
    </button>
  </th>
);
