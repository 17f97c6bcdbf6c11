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

/** What is filled in first. */
const FIRST_FIELD = '[autofocus], .body :is(input, select, textarea):not(:disabled)';

/**
 * A dialog over the page. It is open as long as it is drawn. Escape and a click beside it ask the owner to draw it no more. The focus goes
 * back when it is removed: who presses Enter at once then opens a new dialog.
 */
export function Dialog({ title, onClose, isKept = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const isDrawn = useRef(true);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => {
      isDrawn.current = false;
      // Gives the focus back, which an element that is only removed doesn't.
      element?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser lets nobody prevent a second Escape in a row.
      onClose={() => isDrawn.current && onClose()}
      closedby={isKept ? 'none' : 'any'}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {!isKept && (
          <button type="button" class="button plain" onClick={onClose}>
            <Icon name="close" />
            <span class="unseen">{words.close}</span>
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
