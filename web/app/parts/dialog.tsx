import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { words } from '../words/index.ts';
import { Icon } from './icon.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Whether only its own buttons close it, because what it shows is shown once. */
  isKept?: boolean;
  children: ComponentChildren;
}

/** A dialog over the page. It is open as long as it is drawn; Escape and a click beside it close it. */
export function Dialog({ title, onClose, isKept = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose} closedby={isKept ? 'none' : 'any'}>
      <header>
        <h2 id={id}>{title}</h2>
        {!isKept && (
          <button type="button" class="button plain" onClick={() => dialog.current?.close()}>
            <Icon name="close" />
            <span class="unseen">{words.close}</span>
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
