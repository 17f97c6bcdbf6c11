import type { ComponentChildren } from 'preact';
import { createPortal } from 'preact/compat';
import { useLayoutEffect, useState } from 'preact/hooks';

const ID = 'page-head';

/** Where the frame's bar shows the head of a page. */
export const PageHeadSlot = () => <div id={ID} class="page-head" />;

/** The head of a page in the frame's bar: what the page is about, the ways to its views, what they can be asked. It takes no line of the page. */
export function PageHead({ children }: { children: ComponentChildren }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setSlot(document.getElementById(ID)), []);
  return slot && createPortal(children, slot);
}
