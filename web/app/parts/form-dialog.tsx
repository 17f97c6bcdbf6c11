import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { words } from '../words/index.ts';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { needsProof, useProof } from './proof.tsx';
import { RefusalsProvider, splitRefusal } from './refusals.tsx';

interface FormDialogProps {
  title: string;
  /** What the button says that sends the form. */
  submit: string;
  /** Sends what was filled in; the browser has checked it. */
  onSubmit: () => void;
  onClose: () => void;
  error: unknown;
  isPending: boolean;
  /** Whether it takes something away that doesn't come back. */
  isDanger?: boolean;
  /** Whether the form can't be sent yet. */
  isIncomplete?: boolean;
  /** The names of its fields that show themselves why the service refused them. */
  fields?: readonly string[];
  children: ComponentChildren;
}

/** A form in a dialog. What the service refuses stands at its field or above the buttons, and what was filled in stays. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    submit,
    onSubmit,
    onClose,
    error,
    isPending,
    isDanger,
    isIncomplete,
    fields = [],
    children,
  } = props;
  const proof = useProof(needsProof(error), onSubmit);
  const form = useRef<HTMLFormElement>(null);
  const { refused, rest } = splitRefusal(error, fields);
  useEffect(() => {
    if (error != null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          proof.submit();
        }}
      >
        <div class="body form">
          <RefusalsProvider value={refused}>{children}</RefusalsProvider>
          {proof.field}
          {rest != null && !needsProof(rest) && <Failure error={rest} />}
        </div>
        <footer>
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
          <button
            type="submit"
            class={isDanger ? 'button danger' : 'button main'}
            disabled={isPending || proof.isPending || isIncomplete}
          >
            {submit}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
