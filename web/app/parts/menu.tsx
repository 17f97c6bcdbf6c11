import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface MenuProps {
  label: ComponentChildren;
  /** What the button is called, if its label doesn't say it. */
  name?: string;
  /** Looks without an edge. */
  plain?: boolean;
  /** Has a drawing alone, which needs no sign of a menu. */
  bare?: boolean;
  /** Has its whole width before what is in it is known. */
  wide?: boolean;
  onOpen?: () => void;
  /** Gets what closes the menu. */
  children: (close: () => void) => ComponentChildren;
}

const GAP = 4;
const CHOICES = 'a, button, input';

/** A button that opens choices below it. The browser closes them: by Escape, by a click elsewhere. */
export function Menu({
  label,
  name,
  plain = false,
  bare = false,
  wide = false,
  onOpen,
  children,
}: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const choices = useRef<HTMLDivElement>(null);

  const showBelow = ({ newState }: { newState: string }): void => {
    const isOpen = newState === 'open';
    button.current?.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) onOpen?.();
    if (!isOpen || button.current === null || choices.current === null) return;
    const at = button.current.getBoundingClientRect();
    const { offsetWidth, offsetHeight, style } = choices.current;
    // The page ends at its scroll bar.
    const { right } = document.body.getBoundingClientRect();
    const left = Math.min(at.left, right - offsetWidth - 2 * GAP);
    const below = at.bottom + GAP;
    const top = below + offsetHeight > window.innerHeight ? at.top - offsetHeight - GAP : below;
    style.left = `${Math.max(GAP, left)}px`;
    style.top = `${Math.max(GAP, top)}px`;
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        class={`button${plain ? ' plain' : ''}${bare ? ' tool' : ''}`}
        title={bare ? name : undefined}
        aria-haspopup="true"
        aria-expanded="false"
        aria-label={name}
        popovertarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || choices.current === null) return;
          event.preventDefault();
          choices.current.showPopover();
          choices.current.querySelector<HTMLElement>(CHOICES)?.focus();
        }}
      >
        {label}
        {!bare && <Icon name="down" />}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys go through the choices in it */}
      <div
        ref={choices}
        id={id}
        popover="auto"
        class={wide ? 'menu wide' : 'menu'}
        onToggle={showBelow}
        onKeyDown={moveFocus}
      >
        {children(() => choices.current?.hidePopover())}
      </div>
    </>
  );
}

/** The arrow keys go through the choices. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const menu = event.currentTarget as HTMLElement;
  if (step === undefined) return;
  event.preventDefault();
  const choices = [...menu.querySelectorAll<HTMLElement>(CHOICES)];
  const now = choices.indexOf(document.activeElement as HTMLElement);
  choices.at((now + step) % choices.length)?.focus();
}
