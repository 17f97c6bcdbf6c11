import { useEffect, useRef } from 'preact/hooks';
import { isShortcut } from '../state/own-preferences.ts';

/** A field, or a dialog that is open already. */
const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('input, textarea, select, dialog') !== null;

/** Calls `press` with each key that may do something here: pressed alone, by somebody who wants shortcuts and isn't typing. */
export function useKeys(press: (key: string) => void): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (isShortcut(event) && !isTyping(event)) latest.current(event.key);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
