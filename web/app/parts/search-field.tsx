import { words } from '../words/index.ts';

interface SearchFieldProps {
  value: string;
  onSearch: (value: string) => void;
}

/** The search in a list that stands below it. */
export const SearchField = ({ value, onSearch }: SearchFieldProps) => (
  <input
    class="input"
    type="search"
    aria-label={words.list.search}
    placeholder={words.list.search}
    maxLength={200}
    value={value}
    onInput={({ currentTarget }) => onSearch(currentTarget.value)}
  />
);
