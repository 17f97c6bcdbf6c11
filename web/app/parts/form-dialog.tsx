import type { ComponentChildren } from 'preact';
import { words } from '../words/index.ts';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { needsProof, useProof } from './proof.tsx';

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
  children: ComponentChildren;
}

/** A form in a dialog. What the service refuses stands above the buttons, and what was filled in stays. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, onSubmit, onClose, error, isPending, isDanger, isIncomplete, children } = props;
  const proof = useProof(needsProof(error), onSubmit);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          proof.submit();
        }}
      >
        <div class="body form">
          {children}
          {proof.field}
          {error != null && !needsProof(error) && <Failure error={error} />}
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
