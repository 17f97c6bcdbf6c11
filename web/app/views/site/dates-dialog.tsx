import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { RangeCalendar } from '../../parts/range-calendar.tsx';
import type { Dates } from '../../state/site-query.ts';
import { words } from '../../words/index.ts';

interface DatesDialogProps {
  title: string;
  /** What is chosen already. */
  known: Dates;
  /** The last day that can be chosen. */
  last: string;
  onChoose: (dates: Dates) => void;
  onClose: () => void;
}

/** Asks for a first and a last day. */
export default function DatesDialog({ title, known, last, onChoose, onClose }: DatesDialogProps) {
  const [{ from, to }, setDates] = useState(known);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          onChoose({ from, to });
        }}
      >
        <div class="body form">
          <div class="dates">
            <DateField
              label={words.periods.from}
              value={from}
              max={to || last}
              onChange={(date) => setDates({ from: date, to })}
            />
            <DateField
              label={words.periods.to}
              value={to}
              min={from || undefined}
              max={last}
              onChange={(date) => setDates({ from, to: date })}
            />
          </div>
          <RangeCalendar
            {...{ from, to, last }}
            onChange={(first, second) => setDates({ from: first, to: second })}
          />
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
