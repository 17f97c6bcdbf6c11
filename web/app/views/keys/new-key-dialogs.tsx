import { useState } from 'preact/hooks';
import {
  type CreatedApiKey,
  type CreatedQueryToken,
  createApiKey,
  createQueryToken,
} from '../../api/operations.generated.ts';
import { Field, RadioChoices } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useAction } from '../../parts/use-action.ts';
import { peopleWords } from '../../words/people.ts';
import { isIncomplete, OPENS_ALL, OpensFields, requestOf } from './opens-fields.tsx';

const MAX_NAME_LENGTH = 100;

interface NewKeyProps<Created> {
  onDone: (made: Created) => void;
  onClose: () => void;
}

export function NewApiKey({ onDone, onClose }: NewKeyProps<CreatedApiKey>) {
  const texts = peopleWords.keys;
  const [name, setName] = useState('');
  const [access, setAccess] = useState<'read' | 'write'>('read');
  const [opens, setOpens] = useState(OPENS_ALL);
  const { run, ...state } = useAction(() => createApiKey({ name, access, ...requestOf(opens) }), {
    changes: [['api-keys']],
    onDone: ({ data }) => onDone(data),
  });
  return (
    <FormDialog
      title={texts.newApi}
      submit={texts.submit}
      onSubmit={() => run()}
      onClose={onClose}
      isIncomplete={isIncomplete(opens)}
      {...state}
    >
      <NameField name={name} change={setName} />
      <RadioChoices
        label={texts.access}
        name="access"
        value={access}
        choices={(['read', 'write'] as const).map((value) => ({
          value,
          label: texts.accesses[value],
          note: texts.accessNotes[value],
        }))}
        onChoose={setAccess}
      />
      <OpensFields opens={opens} change={setOpens} />
    </FormDialog>
  );
}

type Scope = CreatedQueryToken['scopes'][number];
type Preset = keyof typeof peopleWords.keys.presets;

const PRESETS: Record<Exclude<Preset, 'custom'>, readonly Scope[]> = {
  read: ['sites:read', 'analytics:read', 'telemetry:read', 'outcomes:read'],
  websites: ['sites:read', 'analytics:read'],
};

export function NewQueryToken({ onDone, onClose }: NewKeyProps<CreatedQueryToken>) {
  const texts = peopleWords.keys;
  const all = Object.keys(texts.scopes) as Scope[];
  const [name, setName] = useState('');
  const [preset, setPreset] = useState<Preset>('read');
  const [scopes, setScopes] = useState<readonly Scope[]>(PRESETS.read);
  const [opens, setOpens] = useState(OPENS_ALL);
  const { run, ...state } = useAction(
    () => createQueryToken({ name, scopes: [...scopes], ...requestOf(opens) }),
    { changes: [['query-tokens']], onDone: ({ data }) => onDone(data) },
  );
  const choosePreset = (chosen: Preset): void => {
    setPreset(chosen);
    if (chosen !== 'custom') setScopes(PRESETS[chosen]);
  };
  const toggle = (scope: Scope): void =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  const opensNoBackend = opens.siteIds !== undefined && opens.projectIds === undefined;
  return (
    <FormDialog
      title={texts.newQuery}
      submit={texts.submit}
      onSubmit={() => run()}
      onClose={onClose}
      isIncomplete={isIncomplete(opens) || scopes.length === 0}
      {...state}
    >
      <NameField name={name} change={setName} />
      <RadioChoices
        label={texts.preset}
        name="preset"
        value={preset}
        choices={(Object.keys(texts.presets) as Preset[]).map((value) => ({
          value,
          label: texts.presets[value],
          note: texts.presetNotes[value],
        }))}
        onChoose={choosePreset}
      />
      {preset === 'custom' && (
        <div class="choices indented">
          {all.map((scope) => (
            <label key={scope}>
              <input
                type="checkbox"
                name="scopes"
                value={scope}
                checked={scopes.includes(scope)}
                onChange={() => toggle(scope)}
              />
              <span>
                <code>{scope}</code>
                <small class="soft">{texts.scopes[scope]}</small>
              </span>
            </label>
          ))}
          {scopes.length === 0 && <small class="soft">{texts.noScope}</small>}
        </div>
      )}
      <OpensFields opens={opens} change={setOpens} />
      {opensNoBackend && <p class="soft small">{texts.noTelemetry}</p>}
    </FormDialog>
  );
}

const NameField = ({ name, change }: { name: string; change: (name: string) => void }) => (
  <Field label={peopleWords.keys.name} note={peopleWords.keys.nameNote}>
    <input
      class="input"
      name="name"
      required
      maxLength={MAX_NAME_LENGTH}
      autocomplete="off"
      value={name}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  </Field>
);
