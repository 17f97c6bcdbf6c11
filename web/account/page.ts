import type { View } from '../../functions/account/pages/page-words.ts';
import type { PageData } from '../../functions/account/pages/render-page.ts';

/** What the service wrote into the page for this script. */
export const data = JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData;

/** What the link has after its `#`. Read once; a secret is posted in a body and never put into an address. */
export const fragment = location.hash.slice(1);

/** Whether that has the form of the page's secret. */
export const isSecret = (): boolean => new RegExp(data.secret).test(fragment);

const status = document.getElementById('status') as HTMLElement;

/** Says what is going on to whoever waits; nothing if empty. */
export const say = (text: string): void => {
  status.textContent = text;
};

export const allOf = <Type extends HTMLElement>(selector: string): Type[] => [
  ...document.querySelectorAll<Type>(selector),
];

/** Puts texts into the places that the sentences have for them. */
export function fill(texts: Record<string, string>): void {
  for (const [name, text] of Object.entries(texts))
    for (const place of allOf(`[data-fill="${name}"]`)) place.textContent = text;
}

/** Shows one view, forgets what others said was wrong, and leads keyboard and screen reader there. */
export function show(name: View): undefined {
  say('');
  for (const wrong of allOf('.wrong')) wrong.textContent = '';
  for (const view of allOf('[data-view]')) {
    view.hidden = view.dataset.view !== name;
    if (view.hidden) continue;
    const heading = view.querySelector('h1') as HTMLElement;
    document.title = `${heading.textContent} · Vendor`;
    // Where there is something to read before the first field, it is read first.
    const first = view.querySelector<HTMLElement>('dl, ul, input');
    (first?.matches('input') ? first : heading).focus();
  }
}

/** The secret that the link brought is used up: it goes from the address, and changing the language leads elsewhere. */
export function forgetFragment(): void {
  history.replaceState(null, '', location.pathname + location.search);
  for (const link of allOf<HTMLAnchorElement>('nav a')) link.pathname = '/sign-in';
}

/** Links to other languages keep what follows the `#`: it is this script's alone to hand on. */
export function keepFragment(): void {
  for (const link of allOf<HTMLAnchorElement>('nav a'))
    link.addEventListener('click', () => {
      link.hash = location.hash;
    });
}
