import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import type { Dates } from '../../state/site-query.ts';
import { words } from '../../words/index.ts';

interface DatesDialogProps {
  title: string;
  /** What is chosen already, if it is dates. */
  known: unknown;
  onChoose: (dates: Dates) => void;
  onClose: () => void;
}

/** Asks for a first and a last day. */
export function DatesDialog({ title, known, onChoose, onClose }: DatesDialogProps) {
  const dates = typeof known === 'object' ? (known as Dates) : { from: '', to: '' };
  const [from, setFrom] = useState(dates.from);
  const [to, setTo] = useState(dates.to);
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
