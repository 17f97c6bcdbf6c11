import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SectionProps {
  title: string;
  text?: string;
  children: ComponentChildren;
}

/** A named part of a page, on a card of its own. */
export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section class="card section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {text !== undefined && <p class="soft">{text}</p>}
      {children}
    </section>
  );
}
