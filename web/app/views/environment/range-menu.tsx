import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { time } from '../../format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import {
  type Fields,
  rangeOf,
  TELEMETRY_PERIODS,
  type TelemetryPeriod,
  useFields,
} from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';

/** An instant, or the text itself if it is none. */
const shown = (at: string): string => (Number.isNaN(Date.parse(at)) ? at : time(at, 'long-hour', 'UTC'));

function rangeName(fields: Fields): string {
  const { period, from = '', to = '' } = rangeOf(fields);
  return period === undefined
    ? `${shown(from)} – ${shown(to)}`
    : (backendWords.periods[period as TelemetryPeriod] ?? period);
}

/** The choice of the period. */
export function RangeMenu() {
  const { fields, hrefWith } = useFields();
  const [choosesTimes, setChoosesTimes] = useState(false);
  const texts = backendWords.periods;
  const name = rangeName(fields);
  const { period: chosen } = rangeOf(fields);
  return (
    <>
      <Menu name={`${texts.label}: ${name}`} label={name}>
        {(close) => (
          <>
            {TELEMETRY_PERIODS.map((period) => (
              <Link
                key={period}
                href={hrefWith({ period, from: undefined, to: undefined })}
                aria-current={period === chosen ? 'true' : undefined}
                onClick={close}
              >
                {texts[period]}
              </Link>
            ))}
            <hr />
            <button
              type="button"
              onClick={() => {
                close();
                setChoosesTimes(true);
              }}
            >
              {texts.custom}
            </button>
          </>
        )}
      </Menu>
      {choosesTimes && <TimesDialog onClose={() => setChoosesTimes(false)} />}
    </>
  );
}

/** 2026-11-22T09:30, as the field takes it. */
const toField = (at: string | undefined): string =>
  at === undefined || Number.isNaN(Date.parse(at)) ? '' : new Date(at).toISOString().slice(0, 16);

function TimesDialog({ onClose }: { onClose: () => void }) {
  const { fields, go } = useFields();
  const [from, setFrom] = useState(toField(fields.from));
  const [to, setTo] = useState(toField(fields.to));
  const texts = backendWords.periods;
  const ends = [
    { name: 'from', label: texts.from, value: from, set: setFrom, min: undefined, max: to || undefined },
    { name: 'to', label: texts.to, value: to, set: setTo, min: from || undefined, max: undefined },
  ];
  return (
    <Dialog title={texts.label} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          go({ period: undefined, from: `${from}:00Z`, to: `${to}:00Z` });
        }}
      >
        <div class="body form">
          {ends.map(({ name, label, value, set, min, max }) => (
            <label key={name} class="field">
              <span>{label}</span>
              <input
                class="input"
                type="datetime-local"
                name={name}
                required
                value={value}
                min={min}
                max={max}
                onInput={({ currentTarget }) => set(currentTarget.value)}
              />
            </label>
          ))}
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
