import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../api/operation.ts';
import { proveSession } from '../api/operations.generated.ts';
import { usePerson } from '../state/use-person.ts';
import { words } from '../words/index.ts';
import { Failure } from './failure.tsx';
import { Field } from './field.tsx';
import { useAction } from './use-action.ts';

/** Whether the service refused a call because the person has to prove again who they are. */
export const needsProof = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 403 && error.message.includes('`/api/auth/proof`');

interface Proof {
  /** Sends the proof if one is needed, and then the form. */
  submit: () => void;
  /** Asks for the proof, if one is needed. */
  field: ComponentChildren;
  isPending: boolean;
}

/** Asks for a code of the second factor, or for the password, and repeats what was refused. */
export function useProof(isNeeded: boolean, onSubmit: () => void): Proof {
  const texts = words.proof;
  const person = usePerson();
  const [text, setText] = useState('');
  const { run, error, isPending } = useAction(() => proveSession({ proof: text.trim() }), {
    onDone: onSubmit,
  });
  if (!isNeeded) return { submit: onSubmit, field: null, isPending };
  const isCode = person?.secondFactor === true;
  const field = (
    <>
      <Field label={isCode ? texts.code : texts.password} note={texts.note}>
        <input
          class="input"
          type={isCode ? 'text' : 'password'}
          name="proof"
          autocomplete={isCode ? 'one-time-code' : 'current-password'}
          required
          maxLength={128}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Field>
      {error && <Failure error={error} />}
    </>
  );
  return { submit: () => run(undefined), field, isPending };
}
