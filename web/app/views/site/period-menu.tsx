import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { timeRange } from '../../format.ts';
import { Menu } from '../../parts/menu.tsx';
import { COMPARISONS, type Dates, PERIODS, type SiteQuery } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { DatesDialog } from './dates-dialog.tsx';

const datesName = ({ from, to }: Dates): string =>
  timeRange(`${from}T12:00:00Z`, `${to}T12:00:00Z`, 'days', 'UTC');

/** The period as people call it. */
export const periodName = (period: SiteQuery['period']): string =>
  typeof period === 'string' ? words.periods[period] : datesName(period);

export function PeriodMenu() {
  const { query, go } = useSiteQuery();
  return (
    <RangeMenu
      title={words.periods.label}
      label={periodName(query.period)}
      chosen={query.period}
      choices={PERIODS.map((period) => ({ value: period, name: words.periods[period] }))}
      custom={words.periods.custom}
      change={(period) => ({ period, interval: undefined })}
      onDates={(period) => go({ ...query, period, interval: undefined })}
    />
  );
}

/** What the figures are compared with. */
export function CompareMenu() {
  const { query, go } = useSiteQuery();
  const { compare } = query;
  const texts = words.compare;
  return (
    <RangeMenu
      title={texts.label}
      label={
        compare === undefined
          ? texts.label
          : typeof compare === 'string'
            ? texts[compare]
            : datesName(compare)
      }
      chosen={compare}
      choices={[undefined, ...COMPARISONS].map((value) => ({ value, name: texts[value ?? 'none'] }))}
      custom={texts.custom}
      change={(value) => ({ compare: value })}
      onDates={(dates) => go({ ...query, compare: dates })}
    />
  );
}

interface RangeMenuProps<Value> {
  title: string;
  label: string;
  chosen: Value | Dates;
  choices: readonly { value: Value; name: string }[];
  /** What the choice of any dates is called. */
  custom: string;
  /** What a choice changes in the address. */
  change: (value: Value) => Partial<SiteQuery>;
  onDates: (dates: Dates) => void;
}

/** A menu of ranges with names, and of any dates. */
function RangeMenu<Value>(props: RangeMenuProps<Value>) {
  const { title, label, chosen, choices, custom, change, onDates } = props;
  const { query, hrefOf } = useSiteQuery();
  const [choosesDates, setChoosesDates] = useState(false);
  return (
    <>
      <Menu name={label === title ? title : `${title}: ${label}`} label={label}>
        {(close) => (
          <>
            {choices.map(({ value, name }) => (
              <Link
                key={name}
                href={hrefOf({ ...query, ...change(value) })}
                aria-current={value === chosen ? 'true' : undefined}
                onClick={close}
              >
                {name}
              </Link>
            ))}
            <hr />
            <button
              type="button"
              aria-current={typeof chosen === 'object' ? 'true' : undefined}
              onClick={() => {
                close();
                setChoosesDates(true);
              }}
            >
              {custom}
            </button>
          </>
        )}
      </Menu>
      {choosesDates && (
        <DatesDialog title={title} known={chosen} onChoose={onDates} onClose={() => setChoosesDates(false)} />
      )}
    </>
  );
}
