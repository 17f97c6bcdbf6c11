import { useState } from 'preact/hooks';
import { changePassword } from '../../api/operations.generated.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useAction } from '../../parts/use-action.ts';
import { peopleWords } from '../../words/people.ts';

const MIN_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;

/** A new password. The service ends all other sessions with it, and the keys if the person wants that. */
export function PasswordSection({ email }: { email: string }) {
  const texts = peopleWords.password;
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [revokeKeys, setRevokeKeys] = useState(false);
  const [isDone, setDone] = useState(false);
  const { run, error, isPending } = useAction(
    () => changePassword({ currentPassword: current, newPassword: next, revokeKeys }),
    {
      changes: [['sessions'], ['api-keys'], ['query-tokens']],
      onDone: () => {
        setCurrent('');
        setNext('');
        setRevokeKeys(false);
        setDone(true);
      },
    },
  );
  return (
    <Section title={texts.title} text={texts.text}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          setDone(false);
          run();
        }}
      >
        {/* Password managers look for it. */}
        <input type="text" name="username" autocomplete="username" value={email} readOnly hidden />
        <div class="beside">
          <TextField
            label={texts.current}
            type="password"
            name="currentPassword"
            autocomplete="current-password"
            required
            maxLength={MAX_PASSWORD_LENGTH}
            value={current}
            onText={setCurrent}
          />
          <TextField
            label={texts.new}
            note={texts.note}
            type="password"
            name="newPassword"
            autocomplete="new-password"
            required
            minLength={MIN_LENGTH}
            maxLength={MAX_PASSWORD_LENGTH}
            value={next}
            onText={setNext}
          />
        </div>
        <fieldset class="choices">
          <label>
            <input
              type="checkbox"
              name="revokeKeys"
              checked={revokeKeys}
              onChange={({ currentTarget }) => setRevokeKeys(currentTarget.checked)}
            />
            <span>
              {texts.revokeKeys}
              <small class="soft">{texts.revokeNote}</small>
            </span>
          </label>
        </fieldset>
        {error && <Failure error={error} />}
        <p class="buttons">
          <button type="submit" class="button" disabled={isPending}>
            {texts.submit}
          </button>
          <span role="status">{isDone && texts.done}</span>
        </p>
      </form>
    </Section>
  );
}
