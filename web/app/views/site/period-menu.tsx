import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { addDays, daysBetween } from '../../../../lib/dates.ts';
import { dateIn, timeRange } from '../../format.ts';
import { Menu } from '../../parts/menu.tsx';
import { useKeys } from '../../parts/use-keys.ts';
import { shortcutsOn } from '../../state/own-preferences.ts';
import {
  COMPARISONS,
  type Dates,
  datesOf,
  PERIODS,
  type Period,
  type SiteQuery,
} from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { DatesDialog } from './dialogs.tsx';

const datesName = ({ from, to }: Dates): string =>
  timeRange(`${from}T12:00:00Z`, `${to}T12:00:00Z`, 'days', 'UTC');

/** The period as people call it. */
export const periodName = (period: SiteQuery['period']): string =>
  typeof period === 'string' ? words.periods[period] : datesName(period);

/** The key of each period. */
export const PERIOD_KEYS: Readonly<Record<Period, string>> = {
  ...{ today: 'd', yesterday: 'e', '24h': 'h', '7d': 'w', '28d': 'f', '30d': 't', '90d': 'n' },
  ...{ week: 'k', last_week: 'j' },
  ...{ month: 'm', last_month: 'p', year: 'y', '12m': 'l', all: 'a' },
};
/** Of any dates, and of the next comparison. */
export const DATES_KEY = 'c';
export const COMPARE_KEY = 'x';

const COMPARED = [undefined, ...COMPARISONS];

/** The period of the reports. `zone`: of the site. */
export function PeriodMenu({ zone }: { zone: string }) {
  const { query, go } = useSiteQuery();
  const [choosesDates, setChoosesDates] = useState(false);
  const change = (period: SiteQuery['period']): SiteQuery => ({ ...query, period, interval: undefined });
  useKeys((key) => {
    const period = PERIODS.find((one) => PERIOD_KEYS[one] === key);
    if (period !== undefined) go(change(period));
    if (key === DATES_KEY) setChoosesDates(true);
  });
  return (
    <RangeMenu
      title={words.periods.label}
      label={periodName(query.period)}
      chosen={query.period}
      choices={PERIODS.map((period) => ({
        ...{ value: period, name: words.periods[period], key: PERIOD_KEYS[period] },
        next: change(period),
      }))}
      custom={{ name: words.periods.custom, key: DATES_KEY }}
      known={datesOf(query.period, zone, Date.now())}
      onDates={(period) => go(change(period))}
      {...{ zone, choosesDates, setChoosesDates }}
    />
  );
}

/** What the figures are compared with. */
export function CompareMenu({ zone }: { zone: string }) {
  const { query, go } = useSiteQuery();
  const [choosesDates, setChoosesDates] = useState(false);
  const { compare } = query;
  const texts = words.compare;
  useKeys((key) => {
    if (key !== COMPARE_KEY) return;
    const next = COMPARED.indexOf(typeof compare === 'object' ? undefined : compare) + 1;
    go({ ...query, compare: COMPARED[next % COMPARED.length] });
  });
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
      plain
      chosen={compare}
      choices={COMPARED.map((value) => ({
        ...{ value, name: texts[value ?? 'none'] },
        next: { ...query, compare: value },
      }))}
      custom={{ name: texts.custom }}
      known={typeof compare === 'object' ? compare : before(datesOf(query.period, zone, Date.now()))}
      onDates={(dates) => go({ ...query, compare: dates })}
      {...{ zone, choosesDates, setChoosesDates }}
    />
  );
}

/** As many days, just before. */
function before({ from, to }: Dates): Dates {
  const last = addDays(from, -1);
  return { from: addDays(last, -daysBetween(from, to)), to: last };
}

interface RangeMenuProps<Value> {
  title: string;
  label: string;
  /** Looks without an edge. */
  plain?: boolean;
  chosen: Value | Dates;
  choices: readonly { value: Value; name: string; key?: string; next: SiteQuery }[];
  /** The choice of any dates. */
  custom: { name: string; key?: string };
  /** The dates that the choice begins with. */
  known: Dates;
  zone: string;
  choosesDates: boolean;
  setChoosesDates: (is: boolean) => void;
  onDates: (dates: Dates) => void;
}

const Key = ({ name }: { name: string | undefined }) =>
  name !== undefined && shortcutsOn() ? (
    <span class="key" aria-hidden="true">
      {name.toUpperCase()}
    </span>
  ) : null;

/** A menu of ranges with names, and of any dates. */
function RangeMenu<Value>(props: RangeMenuProps<Value>) {
  const {
    title,
    label,
    plain = false,
    chosen,
    choices,
    custom,
    known,
    zone,
    choosesDates,
    setChoosesDates,
    onDates,
  } = props;
  const { hrefOf } = useSiteQuery();
  return (
    <>
      <Menu plain={plain} name={label === title ? title : `${title}: ${label}`} label={label}>
        {(close) => (
          <>
            {choices.map(({ value, name, key, next }) => (
              <Link
                key={name}
                href={hrefOf(next)}
                aria-current={value === chosen ? 'true' : undefined}
                aria-keyshortcuts={key}
                onClick={close}
              >
                {name}
                <Key name={key} />
              </Link>
            ))}
            <hr />
            <button
              type="button"
              aria-current={typeof chosen === 'object' ? 'true' : undefined}
              aria-keyshortcuts={custom.key}
              onClick={() => {
                close();
                setChoosesDates(true);
              }}
            >
              {custom.name}
              <Key name={custom.key} />
            </button>
          </>
        )}
      </Menu>
      {choosesDates && (
        <DatesDialog
          {...{ title, known }}
          last={dateIn(zone, Date.now())}
          onChoose={onDates}
          onClose={() => setChoosesDates(false)}
        />
      )}
    </>
  );
}
