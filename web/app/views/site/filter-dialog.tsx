import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import {
  DIMENSIONS,
  type Dimension,
  type Filter,
  type Operator,
  withFilter,
} from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';

const OPERATORS: readonly Operator[] = ['is', 'not', 'contains'];
const MAX_VALUES = 20;

/** A form for a filter: a dimension, an operator, one or several values. */
export function FilterDialog({ filter, onClose }: { filter?: Filter; onClose: () => void }) {
  const { query, go } = useSiteQuery();
  const [dimension, setDimension] = useState<Dimension>(filter?.dimension ?? 'page');
  const [operator, setOperator] = useState<Operator>(filter?.operator ?? 'is');
  const [text, setText] = useState(filter?.values.join('\n') ?? '');
  const told = words.filters;
  const values = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.includes('|'))
    .slice(0, MAX_VALUES);
  return (
    <Dialog title={told.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (values.length === 0) return;
          onClose();
          go(withFilter(query, { dimension, operator, values }));
        }}
      >
        <div class="body form">
          <label class="field">
            <span>{told.dimension}</span>
            <select
              class="input"
              value={dimension}
              onChange={({ currentTarget }) => setDimension(currentTarget.value as Dimension)}
            >
              {(DIMENSIONS as readonly Dimension[]).map((one) => (
                <option key={one} value={one}>
                  {told.dimensions[one]}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>{told.operator}</span>
            <select
              class="input"
              value={operator}
              onChange={({ currentTarget }) => setOperator(currentTarget.value as Operator)}
            >
              {OPERATORS.map((one) => (
                <option key={one} value={one}>
                  {told.operators[one]}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>{told.values}</span>
            <textarea
              class="input"
              required
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          {told.leavesOut[dimension] && <p class="soft">{told.leavesOut[dimension]}</p>}
        </div>
        <footer>
          <button type="submit" class="button main">
            {told.apply}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
