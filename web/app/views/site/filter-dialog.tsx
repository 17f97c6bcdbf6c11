import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import {
  byProperty,
  DIMENSIONS,
  type Filter,
  type KnownDimension,
  propertyOf,
  withFilter,
  withoutFilter,
} from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { leavesOut, wordOf } from './filter-text.ts';
import { FilterValues, meantBy, useSuggestions } from './filter-values.tsx';
import { showValue } from './panels.ts';
import { useProperties } from './use-properties.ts';

const OPERATORS = ['is', 'not', 'contains'] as const;
type Operator = (typeof OPERATORS)[number];
const MAX_VALUES = 20;
const MAX_KEY_LENGTH = 64;

/** The tiers are few, and a filter is by one of them. */
const TIER = 'privacy_tier';
const TIERS = ['1', '2', '3'];

/** The choice instead of a dimension, whose key stands in a field of its own. */
const PROPERTY = 'property';
const NAMES = 'names-of-properties';

/** A form for a filter: a dimension, an operator, one or several values. */
export default function FilterDialog({ filter, onClose }: { filter?: Filter; onClose: () => void }) {
  const { query, go } = useSiteQuery();
  const filteredKey = filter && propertyOf(filter.dimension);
  const [by, setBy] = useState(filteredKey === undefined ? (filter?.dimension ?? 'page') : PROPERTY);
  const [key, setKey] = useState(filteredKey ?? '');
  const [operator, setOperator] = useState<Operator>(filter?.operator ?? 'is');
  const [values, setValues] = useState<readonly string[]>(filter?.values ?? []);
  const [typed, setTyped] = useState('');
  const [tier, setTier] = useState((filter?.dimension === TIER && filter.values[0]) || '1');
  const texts = words.filters;
  const dimension = by === PROPERTY ? byProperty(key) : (by as KnownDimension);
  const isProperty = by === PROPERTY;
  const names = useProperties(undefined, isProperty);
  // Each letter of a name that is typed would be a name.
  const valuesOfProperty = useProperties(key, isProperty && names.some(({ value }) => value === key));
  const suggested = useSuggestions(dimension, typed);
  const suggestions = isProperty ? valuesOfProperty : suggested;
  const all = typed.trim() === '' ? values : [...values, meantBy(typed, { dimension, suggestions })];
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const isTier = by === TIER;
          if (!isTier && all.length === 0) return;
          onClose();
          go(
            withFilter(filter ? withoutFilter(query, filter.dimension) : query, {
              dimension,
              operator: isTier ? 'is' : operator,
              values: isTier ? [tier] : [...new Set(all)].slice(0, MAX_VALUES),
            }),
          );
        }}
      >
        <div class="body form">
          <label class="field">
            <span>{texts.dimension}</span>
            <select
              class="input"
              value={by}
              onChange={({ currentTarget }) => {
                setBy(currentTarget.value);
                setValues([]);
                setTyped('');
              }}
            >
              {DIMENSIONS.map((one) => (
                <option key={one} value={one}>
                  {wordOf(one)}
                </option>
              ))}
              <option value={PROPERTY}>{texts.property}</option>
            </select>
          </label>
          {by === PROPERTY && (
            <label class="field">
              <span>{texts.propertyKey}</span>
              <input
                class="input"
                required
                list={NAMES}
                autocomplete="off"
                maxLength={MAX_KEY_LENGTH}
                value={key}
                onInput={({ currentTarget }) => setKey(currentTarget.value)}
              />
              <datalist id={NAMES}>
                {names.map(({ value }) => (
                  <option key={value} value={value} />
                ))}
              </datalist>
            </label>
          )}
          {by === TIER ? (
            <label class="field">
              <span>{texts.value}</span>
              <select
                class="input"
                value={tier}
                onChange={({ currentTarget }) => setTier(currentTarget.value)}
              >
                {TIERS.map((one) => (
                  <option key={one} value={one}>
                    {showValue(TIER, one)}
                  </option>
                ))}
              </select>
            </label>
          ) : (
            <>
              <label class="field">
                <span>{texts.operator}</span>
                <select
                  class="input"
                  value={operator}
                  onChange={({ currentTarget }) => setOperator(currentTarget.value as Operator)}
                >
                  {OPERATORS.map((one) => (
                    <option key={one} value={one}>
                      {texts.operators[one]}
                    </option>
                  ))}
                </select>
              </label>
              <FilterValues
                {...{ dimension, suggestions, values, typed }}
                onValues={setValues}
                onType={setTyped}
              />
            </>
          )}
          {leavesOut(by) && <p class="soft">{leavesOut(by)}</p>}
        </div>
        <footer>
          <button type="submit" class="button main">
            {texts.apply}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
