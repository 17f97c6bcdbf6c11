import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { allowView, listQueryTokens, type ViewGrant } from '../../api/operations.generated.ts';
import { Field, RadioChoices } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useAction } from '../../parts/use-action.ts';
import { peopleWords } from '../../words/people.ts';

const MINUTES = ['1', '5', '15'] as const;
type Minutes = (typeof MINUTES)[number];

interface AllowViewDialogProps {
  tab: string;
  onDone: (grant: ViewGrant) => void;
  onClose: () => void;
}

/** Which token may change the tab, and for how long. */
export function AllowViewDialog({ tab, onDone, onClose }: AllowViewDialogProps) {
  const texts = peopleWords.agent;
  const [chosen, setChosen] = useState('');
  const [minutes, setMinutes] = useState<Minutes>('15');
  const { data, error } = useQuery({
    queryKey: ['query-tokens'],
    queryFn: ({ signal }) => listQueryTokens({}, signal),
  });
  const tokens = (data?.data ?? []).filter(({ scopes }) => scopes.includes('view:write'));
  const queryTokenId = chosen || (tokens[0]?.id ?? '');
  const { run, ...state } = useAction(() => allowView({ queryTokenId, tab, minutes: Number(minutes) }), {
    onDone: ({ data: grant }) => onDone(grant),
  });
  return (
    <FormDialog
      title={texts.title}
      submit={texts.allow}
      onSubmit={() => run()}
      onClose={onClose}
      isIncomplete={queryTokenId === ''}
      {...state}
      error={state.error ?? error}
    >
      <p>{texts.text}</p>
      {data !== undefined && tokens.length === 0 ? (
        <p>
          {texts.none}{' '}
          <Link href="/settings/keys" onClick={onClose}>
            {texts.make}
          </Link>
        </p>
      ) : (
        <>
          <Field label={texts.token}>
            <select
              class="input"
              name="token"
              value={queryTokenId}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            >
              {tokens.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <RadioChoices
            label={texts.howLong}
            name="minutes"
            value={minutes}
            choices={MINUTES.map((value) => ({ value, label: texts.minutes(Number(value)) }))}
            onChoose={setMinutes}
          />
        </>
      )}
    </FormDialog>
  );
}
