import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { CopyText } from './copy-text.tsx';

interface ShownOnceProps {
  title: string;
  text: string;
  /** What the secret is called. */
  label: string;
  secret: string;
  done: string;
  onDone: () => void;
  /** How it is used. */
  children?: ComponentChildren;
}

/** A secret that was made just now, until the person says that it is copied or leaves the view. */
export function ShownOnce({ title, text, label, secret, done, onDone, children }: ShownOnceProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that led here may be gone.
    if (document.activeElement === document.body) box.current?.focus();
  }, []);
  return (
    <div ref={box} class="preview made" role="status" tabIndex={-1}>
      <h3>{title}</h3>
      <p>{text}</p>
      <CopyText text={secret} label={label} />
      {children}
      <p class="buttons">
        <button type="button" class="button" onClick={onDone}>
          {done}
        </button>
      </p>
    </div>
  );
}
