/** Clicks on elements with classes of Plausible (`plausible-event-name=Sign+Up`) or attributes of Umami (`data-umami-event`). */
import { track } from './vendor-calls.ts';

/** The tags of an element, by what follows `plausible-event-` or `data-umami-event`. */
const readTags = (element: Element): Record<string, string> => {
  const tags: Record<string, string> = {};
  for (const { name, value } of element.attributes)
    if (name.startsWith('data-umami-event')) tags[name.slice(17) || 'name'] = value;
  for (const name of element.classList) {
    const [, key, text = ''] = /^plausible-event-([^=]+?)(?:=|--)(.*)/.exec(name) ?? [];
    if (key) tags[key] = text.replaceAll('+', ' ');
  }
  return tags;
};

/** The innermost element that has an event sends it. Of a form its submission counts. */
export const reportTagged = (event: Event): void => {
  for (const element of event.composedPath()) {
    if (!(element instanceof Element)) continue;
    if (element.matches('form') && event.type !== 'submit') return;
    const { name, 'revenue-amount': amount, 'revenue-currency': currency, ...props } = readTags(element);
    if (name) {
      track(name, props, amount && amount + ' ' + currency);
      return;
    }
  }
};
