import { useRef, useState } from 'preact/hooks';
import { FIELDS, MINUTE_DIMENSIONS, type MinuteDimension } from '../../../../lib/alerts/alert-fields.ts';
import { readFilter, writeFilter } from '../../../../lib/analytics/reading/filter-text.ts';
import type { Site } from '../../api/operations.generated.ts';
import { Field } from '../../parts/field.tsx';
import { useRefusal } from '../../parts/refusals.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { readSegment } from '../../state/site-query.ts';
import { alertWords } from '../../words/alerts.ts';
import { words } from '../../words/index.ts';
import { nameOf, wordOf } from '../site/filter-text.ts';
import { FilterValues, meantBy, useSuggestions } from '../site/filter-values.tsx';
import { showValue } from '../site/panels.ts';
import { useSegments } from '../site/use-segments.ts';
import type { Subject } from './alert-source.ts';
import type { DraftProps } from './draft.ts';
import { useGoalNames } from './use-alerts.ts';

const TIERS = [1, 2, 3] as const;
const OPERATORS = ['is', 'not', 'contains'] as const;
const MAX_EVENT_LENGTH = 64;

type Filters = NonNullable<Subject['filters']>;

/** What the number of a site is of: a goal, an event, a currency, filters. */
export function SiteFields({ site, draft, onChange }: DraftProps & { site: Site }) {
  const texts = alertWords.form;
  const { metric, subject } = draft;
  const fields = FIELDS[metric];
  const set = (changes: Subject): void => onChange({ subject: { ...subject, ...changes } });
  return (
    <>
      {'goalId' in fields && <GoalField site={site} draft={draft} onChange={onChange} />}
      {'event' in fields && (
        <TextField
          label={texts.event}
          note={texts.anyEvent}
          name="event"
          maxLength={MAX_EVENT_LENGTH}
          autocomplete="off"
          value={subject.event ?? ''}
          onText={(event) => set({ event })}
        />
      )}
      {'currency' in fields && (
        <TextField
          label={texts.currency}
          note={texts.currencyNote}
          name="currency"
          required
          maxLength={3}
          autocomplete="off"
          value={subject.currency ?? ''}
          onText={(currency) => set({ currency: currency.toUpperCase() })}
        />
      )}
      {'filters' in fields && (
        <FilterFields
          site={site}
          isByVisit={metric === 'visits'}
          filters={subject.filters ?? {}}
          onFilters={(filters) => set({ filters })}
        />
      )}
    </>
  );
}

function GoalField({ site, draft: { subject }, onChange }: DraftProps & { site: Site }) {
  const texts = alertWords.form;
  const { goals } = useGoalNames({ site });
  const { marks, rule } = useRefusal('goalId');
  return (
    <Field label={texts.goal} rule={rule} {...(goals?.length === 0 && { note: texts.noGoals })}>
      <select
        class="input"
        name="goalId"
        required
        value={subject.goalId ?? ''}
        {...marks}
        onChange={({ currentTarget }) => onChange({ subject: { ...subject, goalId: currentTarget.value } })}
      >
        <option value="" />
        {goals?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface FilterFieldsProps {
  site: Site;
  /** Whether visits are counted, which may also be filtered by a dimension. */
  isByVisit: boolean;
  filters: Filters;
  onFilters: (filters: Filters) => void;
}

const dimensionIn = (filters: Filters): MinuteDimension | undefined =>
  MINUTE_DIMENSIONS.find((name) => filters[name] !== undefined);

function FilterFields({ site, isByVisit, filters, onFilters }: FilterFieldsProps) {
  const texts = alertWords.form;
  const { marks, rule } = useRefusal('filters');
  const [copied, setCopied] = useState(0);
  const { privacy_tier: tier } = filters;
  const withTier = (chosen: string): Filters => {
    const { privacy_tier: _, ...others } = filters;
    const one = TIERS.find((known) => String(known) === chosen);
    return one === undefined ? others : { ...others, privacy_tier: one };
  };
  return (
    <>
      <SegmentField
        site={site}
        isByVisit={isByVisit}
        onFilters={(found) => {
          onFilters(found);
          setCopied(copied + 1);
        }}
      />
      <Field label={texts.tier} rule={rule}>
        <select
          class="input"
          name="privacy_tier"
          value={tier === undefined ? '' : String(tier)}
          {...marks}
          onChange={({ currentTarget }) => onFilters(withTier(currentTarget.value))}
        >
          <option value="">{texts.anyTier}</option>
          {TIERS.map((one) => (
            <option key={one} value={String(one)}>
              {showValue('privacy_tier', String(one))}
            </option>
          ))}
        </select>
      </Field>
      {isByVisit && <DimensionFields key={copied} filters={filters} onFilters={onFilters} />}
    </>
  );
}

function DimensionFields({ filters, onFilters }: Pick<FilterFieldsProps, 'filters' | 'onFilters'>) {
  const texts = alertWords.form;
  const found = dimensionIn(filters);
  const read = readFilter((found && filters[found]) || '');
  const [dimension, setDimension] = useState(found);
  const [operator, setOperator] = useState(read.operator);
  const [values, setValues] = useState<readonly string[]>(found === undefined ? [] : read.values);
  /** What was ticked in the same moment as the typed text went. */
  const ticked = useRef(values);
  const [typed, setTyped] = useState('');
  const suggestions = useSuggestions(dimension ?? 'source', typed);
  const tell = (
    by: MinuteDimension | undefined,
    how: (typeof OPERATORS)[number],
    which: readonly string[],
  ): void => {
    const { privacy_tier } = filters;
    onFilters({
      ...(privacy_tier !== undefined && { privacy_tier }),
      ...(by !== undefined && which.length > 0 && { [by]: writeFilter({ operator: how, values: which }) }),
    });
  };
  const type = (text: string): void => {
    setTyped(text);
    if (dimension === undefined) return;
    const meant = text.trim() === '' ? [] : [meantBy(text, { dimension, suggestions })];
    tell(dimension, operator, [...new Set([...ticked.current, ...meant])]);
  };
  const choose = (chosen: readonly string[]): void => {
    ticked.current = chosen;
    setValues(chosen);
    tell(dimension, operator, chosen);
  };
  return (
    <>
      <div class="side-by-side">
        <Field label={texts.visits}>
          <select
            class="input"
            name="dimension"
            value={dimension ?? ''}
            onChange={({ currentTarget }) => {
              const next = MINUTE_DIMENSIONS.find((one) => one === currentTarget.value);
              setDimension(next);
              ticked.current = [];
              setValues([]);
              setTyped('');
              tell(next, operator, []);
            }}
          >
            <option value="">{texts.allVisits}</option>
            {MINUTE_DIMENSIONS.map((one) => (
              <option key={one} value={one}>
                {wordOf(one)}
              </option>
            ))}
          </select>
        </Field>
        {dimension !== undefined && (
          <Field label={texts.which}>
            <select
              class="input"
              name="operator"
              value={operator}
              onChange={({ currentTarget }) => {
                const next = currentTarget.value as (typeof OPERATORS)[number];
                setOperator(next);
                tell(dimension, next, values);
              }}
            >
              {OPERATORS.map((one) => (
                <option key={one} value={one}>
                  {words.filters.operators[one]}
                </option>
              ))}
            </select>
          </Field>
        )}
      </div>
      {dimension !== undefined && (
        <FilterValues {...{ dimension, suggestions, values, typed }} onValues={choose} onType={type} />
      )}
    </>
  );
}

type SegmentFieldProps = Pick<FilterFieldsProps, 'site' | 'isByVisit' | 'onFilters'>;

/** Copies the filters of a segment, if an alert can have them. */
function SegmentField({ site, isByVisit, onFilters }: SegmentFieldProps) {
  const texts = alertWords.form;
  const [refused, setRefused] = useState<string | undefined>();
  const segments = useSegments(site.id).data?.data ?? [];
  if (segments.length === 0) return null;
  const choose = (id: string): void => {
    const filters = readSegment(segments.find((one) => one.id === id)?.filters ?? {});
    const others = filters.filter(({ dimension }) => dimension !== 'privacy_tier');
    const unknown = others.filter(
      ({ dimension }) => !isByVisit || !MINUTE_DIMENSIONS.some((one) => one === dimension),
    );
    const wrong = unknown.length > 0 ? unknown : others.slice(1);
    setRefused(
      wrong.length === 0
        ? undefined
        : texts.segmentRefused(wrong.map(({ dimension }) => nameOf(dimension)).join(', ')),
    );
    if (wrong.length > 0 || filters.length === 0) return;
    onFilters(
      Object.fromEntries(
        filters.map(({ dimension, ...filter }) => [
          dimension,
          dimension === 'privacy_tier' ? Number(filter.values[0]) : writeFilter(filter),
        ]),
      ),
    );
  };
  return (
    <Field
      label={texts.segment}
      note={texts.segmentNote}
      rule={refused !== undefined && <small class="refused">{refused}</small>}
    >
      <select
        class="input"
        name="segment"
        {...(refused !== undefined && { 'aria-invalid': true })}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">{texts.noSegment}</option>
        {segments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
