import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useReader } from '../../api/reader.ts';
import { exact } from '../../format.ts';
import type { Dimension } from '../../state/site-query.ts';
import { words } from '../../words/index.ts';
import { rowsOf, shownLists, showValue } from './panels.ts';

const SUGGESTED = 50;
const MAX_LENGTH = 1024;

export interface Suggestion {
  /** As a filter takes it. */
  value: string;
  visits: number;
}

/** What the site had in the last 90 days, most frequent first. The API searches values; their names in the reader's language it doesn't know. */
export function useSuggestions(dimension: Dimension, typed: string): readonly Suggestion[] {
  const reader = useReader();
  const list = shownLists(reader.shows).find((one) => one.dimension === dimension);
  const search = list?.show === undefined ? typed.trim() : '';
  const isGoal = dimension === 'goal' && (reader.shows?.includes('goals') ?? true);
  const { data } = useQuery({
    queryKey: ['suggestions', reader.key, dimension, search],
    queryFn: async ({ signal }): Promise<Suggestion[]> => {
      const asked = { siteId: reader.key, period: '90d' } as const;
      if (list === undefined) {
        const { data: goals } = await reader.report<{ name: string; conversions: number }[] | null>(
          'goals',
          asked,
        );
        return (goals ?? []).map(({ name, conversions }) => ({ value: name, visits: conversions }));
      }
      const part = { limit: SUGGESTED, ...(search !== '' && { search }) };
      const { data: rows } = await reader.page(list.report, asked, part, signal);
      return rowsOf(rows ?? []);
    },
    enabled: list !== undefined || isGoal,
    placeholderData: (before, queryBefore) =>
      queryBefore?.queryKey[2] === dimension ? keepPreviousData(before) : undefined,
  });
  return data ?? [];
}

const folded = (text: string): string => text.trim().toLocaleLowerCase();

/** The suggestions whose name or value has the typed text in it. */
const matching = (suggestions: readonly Suggestion[], dimension: Dimension, typed: string): Suggestion[] =>
  suggestions.filter(({ value }) =>
    `${folded(showValue(dimension, value))} ${folded(value)}`.includes(folded(typed)),
  );

/** The value that the typed text means: the one of that name, or the text itself. */
export const meantBy = (
  typed: string,
  { dimension, suggestions }: { dimension: Dimension; suggestions: readonly Suggestion[] },
): string =>
  suggestions.find(({ value }) => folded(showValue(dimension, value)) === folded(typed))?.value ??
  typed.trim();

interface FilterValuesProps {
  dimension: Dimension;
  suggestions: readonly Suggestion[];
  values: readonly string[];
  onValues: (values: readonly string[]) => void;
  typed: string;
  onType: (typed: string) => void;
}

/** The values of a filter: chosen among those that the site had, or typed. */
export function FilterValues(props: FilterValuesProps) {
  const { dimension, suggestions, values, onValues, typed, onType } = props;
  const texts = words.filters;
  const found = matching(suggestions, dimension, typed).filter(({ value }) => !values.includes(value));
  const offered = [...values.map((value) => ({ value, visits: undefined })), ...found];
  return (
    <div class="form">
      <label class="field">
        <span>{texts.values}</span>
        <input
          class="input"
          autocomplete="off"
          placeholder={texts.typeValue}
          required={values.length === 0}
          maxLength={MAX_LENGTH}
          value={typed}
          onInput={({ currentTarget }) => onType(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || typed.trim() === '') return;
            event.preventDefault();
            onValues([...values, meantBy(typed, { dimension, suggestions })]);
            onType('');
          }}
        />
      </label>
      {offered.length > 0 && (
        <fieldset class="choices suggested">
          <legend class="unseen">{texts.values}</legend>
          {offered.map(({ value, visits }) => (
            <label key={value}>
              <input
                type="checkbox"
                checked={values.includes(value)}
                onChange={({ currentTarget }) => {
                  onValues(
                    currentTarget.checked ? [...values, value] : values.filter((one) => one !== value),
                  );
                  onType('');
                }}
              />
              <span>{showValue(dimension, value)}</span>
              {visits !== undefined && <span class="soft">{exact(visits)}</span>}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
