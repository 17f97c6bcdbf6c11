import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { time } from '../../format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Menu } from '../../parts/menu.tsx';
import { PERIODS, type SiteQuery } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';

const day = (date: string): string => time(`${date}T12:00:00Z`, 'day', 'UTC');

/** The period as people call it. */
export const periodName = (period: SiteQuery['period']): string =>
  typeof period === 'string' ? words.periods[period] : `${day(period.from)} – ${day(period.to)}`;

export function PeriodMenu() {
  const { query, hrefOf } = useSiteQuery();
  const [choosesDates, setChoosesDates] = useState(false);
  return (
    <>
      <Menu name={`${words.periods.label}: ${periodName(query.period)}`} label={periodName(query.period)}>
        {(close) => (
          <>
            {PERIODS.map((period) => (
              <Link
                key={period}
                href={hrefOf({ ...query, period, interval: undefined })}
                aria-current={period === query.period ? 'true' : undefined}
                onClick={close}
              >
                {words.periods[period]}
              </Link>
            ))}
            <hr />
            <button
              type="button"
              onClick={() => {
                close();
                setChoosesDates(true);
              }}
            >
              {words.periods.custom}
            </button>
          </>
        )}
      </Menu>
      {choosesDates && <DatesDialog onClose={() => setChoosesDates(false)} />}
    </>
  );
}

function DatesDialog({ onClose }: { onClose: () => void }) {
  const { query, go } = useSiteQuery();
  const known = typeof query.period === 'object' ? query.period : { from: '', to: '' };
  const [from, setFrom] = useState(known.from);
  const [to, setTo] = useState(known.to);
  return (
    <Dialog title={words.periods.label} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          go({ ...query, period: { from, to }, interval: undefined });
        }}
      >
        <div class="body form">
          <DateField label={words.periods.from} value={from} max={to || undefined} onChange={setFrom} />
          <DateField label={words.periods.to} value={to} min={from || undefined} onChange={setTo} />
        </div>
        <footer>
          <button type="submit" class="button main">
            {words.periods.apply}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

interface DateFieldProps {
  label: string;
  value: string;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (date: string) => void;
}

const DateField = ({ label, value, min, max, onChange }: DateFieldProps) => (
  <Field label={label}>
    <input
      class="input"
      type="date"
      required
      {...{ value, min, max }}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </Field>
);
