import { useState } from 'preact/hooks';
import { Failure } from '../../parts/failure.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useAction } from '../../parts/use-action.ts';
import { alertWords } from '../../words/alerts.ts';
import { type Alert, type AlertSource, keyOf } from './alert-source.ts';
import { span, stateOf } from './alert-text.ts';

const MINUTES = [60, 480, 1440, 10_080];
const MINUTE_MS = 60_000;

interface MuteButtonsProps {
  source: AlertSource;
  alert: Alert;
}

/** Mutes the alert for a while, or lets it go on. */
export function MuteButtons({ source, alert }: MuteButtonsProps) {
  const texts = alertWords.mute;
  const [chooses, setChooses] = useState(false);
  const { run, error, isPending } = useAction(
    (mutedUntil: string | null) => source.change(alert.id, { mutedUntil }),
    { changes: [keyOf(source), ['firing']] },
  );
  if (stateOf(alert) === 'muted')
    return (
      <>
        <button type="button" class="button" disabled={isPending} onClick={() => run(null)}>
          {texts.end}
        </button>
        {error && <Failure error={error} />}
      </>
    );
  return (
    <>
      <Menu label={texts.label}>
        {(close) => (
          <>
            {MINUTES.map((minutes) => (
              <button
                key={minutes}
                type="button"
                onClick={() => {
                  close();
                  run(new Date(Date.now() + minutes * MINUTE_MS).toISOString());
                }}
              >
                {span(minutes)}
              </button>
            ))}
            <hr />
            <button
              type="button"
              onClick={() => {
                close();
                setChooses(true);
              }}
            >
              {texts.until}
            </button>
          </>
        )}
      </Menu>
      {chooses && <MuteDialog {...{ source, alert }} onClose={() => setChooses(false)} />}
      {error && <Failure error={error} />}
    </>
  );
}

function MuteDialog({ source, alert, onClose }: MuteButtonsProps & { onClose: () => void }) {
  const texts = alertWords.mute;
  const [until, setUntil] = useState('');
  const { run, ...state } = useAction(
    () => source.change(alert.id, { mutedUntil: new Date(until).toISOString() }),
    { changes: [keyOf(source), ['firing']], onDone: onClose },
  );
  return (
    <FormDialog
      title={texts.until.replace(/ …$/, '')}
      submit={texts.label}
      onSubmit={() => run()}
      onClose={onClose}
      isIncomplete={until === ''}
      fields={['mutedUntil']}
      {...state}
    >
      <TextField
        label={texts.time}
        note={texts.note}
        name="mutedUntil"
        type="datetime-local"
        required
        value={until}
        onText={setUntil}
      />
    </FormDialog>
  );
}
