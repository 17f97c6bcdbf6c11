import { useState } from 'preact/hooks';
import {
  confirmSecondFactor,
  type Person,
  removeSecondFactor,
  type SecondFactorSetup,
  setUpSecondFactor,
} from '../../api/operations.generated.ts';
import { queries } from '../../api/queries.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { Section } from '../../parts/section.tsx';
import { useAction } from '../../parts/use-action.ts';
import { peopleWords } from '../../words/people.ts';
import { MAX_PASSWORD_LENGTH } from './password-section.tsx';
import { QrCode } from './qr-code.tsx';

/** Whether signing in also asks for a code, and what changes that. */
export function SecondFactor({ person }: { person: Person }) {
  const texts = peopleWords.factor;
  const [open, setOpen] = useState<'set-up' | 'turn-off' | undefined>();
  const close = () => setOpen(undefined);
  return (
    <Section title={texts.title} text={person.secondFactor ? texts.on : texts.off}>
      <p class="buttons">
        <button
          type="button"
          class="button"
          onClick={() => setOpen(person.secondFactor ? 'turn-off' : 'set-up')}
        >
          {person.secondFactor ? texts.turnOff : texts.setUp}
        </button>
      </p>
      {open === 'set-up' && <SetUp onClose={close} />}
      {open === 'turn-off' && <TurnOff onClose={close} />}
    </Section>
  );
}

/** In this order: the password, the app's first code, the recovery codes. Nothing changes before the code. */
function SetUp({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<SecondFactorSetup | undefined>();
  const [isOn, setOn] = useState(false);
  if (made === undefined) return <AskPassword onDone={setMade} onClose={onClose} />;
  if (!isOn) return <AskCode made={made} onDone={() => setOn(true)} onClose={onClose} />;
  return <RecoveryCodes codes={made.backupCodes} onClose={onClose} />;
}

function AskPassword(props: { onDone: (made: SecondFactorSetup) => void; onClose: () => void }) {
  const texts = peopleWords.factor;
  const [password, setPassword] = useState('');
  const { run, ...state } = useAction(() => setUpSecondFactor({ password }), {
    onDone: ({ data }) => props.onDone(data),
  });
  return (
    <FormDialog
      title={texts.setUp}
      submit={texts.next}
      onSubmit={() => run()}
      onClose={props.onClose}
      {...state}
    >
      <p>{texts.passwordText}</p>
      <PasswordField label={texts.password} value={password} onInput={setPassword} />
    </FormDialog>
  );
}

interface AskCodeProps {
  made: SecondFactorSetup;
  onDone: () => void;
  onClose: () => void;
}

function AskCode({ made, onDone, onClose }: AskCodeProps) {
  const texts = peopleWords.factor;
  const [code, setCode] = useState('');
  const { run, ...state } = useAction(() => confirmSecondFactor({ code: code.replaceAll(/\s/g, '') }), {
    onDone,
  });
  const secret = new URL(made.uri).searchParams.get('secret') ?? '';
  return (
    <FormDialog
      key="code"
      title={texts.setUp}
      submit={texts.confirm}
      onSubmit={() => run()}
      onClose={onClose}
      {...state}
    >
      <p>{texts.scan}</p>
      <QrCode text={made.uri} label={texts.qr} />
      <a href={made.uri}>{texts.open}</a>
      <h3>{texts.secret}</h3>
      <CopyText text={secret.replaceAll(/.{4}(?=.)/g, '$& ')} label={texts.secret} />
      <Field label={texts.code}>
        <input
          class="input code"
          name="code"
          required
          inputMode="numeric"
          autocomplete="one-time-code"
          pattern="\s*\d{3}\s*\d{3}\s*"
          maxLength={9}
          value={code}
          onInput={({ currentTarget }) => setCode(currentTarget.value)}
        />
      </Field>
    </FormDialog>
  );
}

/** Shown once, so nothing but its button closes it. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const texts = peopleWords.factor;
  const text = codes.join('\n');
  const done = (): void => {
    void queries.invalidateQueries({ queryKey: ['session'] });
    onClose();
  };
  return (
    <Dialog key="codes" title={texts.codes} onClose={done} isKept>
      <div class="body form">
        <p>{texts.codesText}</p>
        <CopyText text={text} label={texts.codes} />
      </div>
      <footer>
        <button
          type="button"
          class="button"
          onClick={() => saveFile('recovery-codes.txt', `${texts.file}\n\n${text}\n`, 'text/plain')}
        >
          {texts.download}
        </button>
        <button type="button" class="button main" onClick={done}>
          {texts.kept}
        </button>
      </footer>
    </Dialog>
  );
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const texts = peopleWords.factor;
  const [password, setPassword] = useState('');
  const { run, ...state } = useAction(() => removeSecondFactor({ password }), {
    changes: [['session']],
    onDone: onClose,
  });
  return (
    <FormDialog
      title={texts.turnOff}
      submit={texts.turnOff}
      onSubmit={() => run()}
      onClose={onClose}
      isDanger
      {...state}
    >
      <p>{texts.turnOffText}</p>
      <PasswordField label={texts.password} value={password} onInput={setPassword} />
    </FormDialog>
  );
}

interface PasswordFieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
}

/** The password, asked for again before something that somebody else could do at an open computer. */
export const PasswordField = ({ label, value, onInput }: PasswordFieldProps) => (
  <Field label={label}>
    <input
      class="input"
      type="password"
      name="password"
      autocomplete="current-password"
      required
      maxLength={MAX_PASSWORD_LENGTH}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  </Field>
);
