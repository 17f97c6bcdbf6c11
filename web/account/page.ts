import type { PageData } from './page-data.ts';
import type { View } from './page-words.ts';

/** The data that the service wrote into the page for this script. */
export const data = JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData;

/** The link's part after `#`, read once. A secret is sent only in a body, never in an address. */
export const fragment = location.hash.slice(1);

/** Whether the fragment has the form of the page's secret. */
export const isSecret = (): boolean => new RegExp(data.secret).test(fragment);

const status = document.getElementById('status') as HTMLElement;

/** Shows a status text to the waiting person; an empty text hides it. */
export const say = (text: string): void => {
  status.textContent = text;
};

export const allOf = <Type extends HTMLElement>(selector: string): Type[] => [
  ...document.querySelectorAll<Type>(selector),
];

/** Whether the service put the view into the page. */
export const hasView = (name: View): boolean => allOf(`[data-view="${name}"]`).length > 0;

/** Puts texts into the placeholders of the sentences. */
export function fill(texts: Record<string, string>): void {
  for (const [name, text] of Object.entries(texts))
    for (const element of allOf(`[data-fill="${name}"]`)) element.textContent = text;
}

/** Shows one view, removes earlier error messages, and moves keyboard focus and screen reader there. */
export function show(name: View): undefined {
  say('');
  for (const wrong of allOf('.wrong')) wrong.textContent = '';
  for (const view of allOf('[data-view]')) {
    view.hidden = view.dataset.view !== name;
    if (view.hidden) continue;
    const heading = view.querySelector('h1') as HTMLElement;
    document.title = `${heading.textContent} · Vendor`;
    // If a list stands before the first field, the heading gets the focus, so that the list is read first.
    const first = view.querySelector<HTMLElement>('dl, ul, input');
    (first?.matches('input') ? first : heading).focus();
  }
}

/** The link's secret has been used: removes it from the address; links to other languages now lead to `/sign-in`. */
export function forgetFragment(): void {
  history.replaceState(null, '', location.pathname + location.search);
  for (const link of allOf<HTMLAnchorElement>('nav a')) link.pathname = '/sign-in';
}

/** Links to other languages keep the fragment, since only this script knows it. */
export function keepFragment(): void {
  for (const link of allOf<HTMLAnchorElement>('nav a'))
    link.addEventListener('click', () => {
      link.hash = location.hash;
    });
}
