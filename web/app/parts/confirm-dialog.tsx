import type { QueryKey } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { words } from '../words/index.ts';
import { Field } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useAction } from './use-action.ts';

interface ConfirmDialogProps {
  title: string;
  /** What happens, and what can't be undone. */
  children: ComponentChildren;
  submit: string;
  act: () => Promise<unknown>;
  /** Beginnings of the keys of answers that it changes. */
  changes: readonly QueryKey[];
  /** A text that has to be typed first. */
  typed?: string;
  onDone?: () => void;
  onClose: () => void;
}

/** Asks before something is deleted. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, submit, act, changes, typed, onDone, onClose } = props;
  const [text, setText] = useState('');
  const { run, ...state } = useAction(act, { changes, onDone: onDone ?? onClose });
  return (
    <FormDialog
      title={title}
      submit={submit}
      onSubmit={() => run()}
      onClose={onClose}
      isDanger
      isIncomplete={typed !== undefined && text.trim() !== typed}
      error={state.error}
      isPending={state.isPending}
    >
      {children}
      {typed !== undefined && (
        <Field label={words.forms.typeToConfirm(typed)}>
          <input
            class="input"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </Field>
      )}
    </FormDialog>
  );
}
