/** Events of elements as other tools have them, on pages whose tracker `compat.js` has loaded. */

/** By the attributes of an element: what `track` is called with; nothing where there is no event. */
export type ReadPeerTags = (
  given: Record<string, string>,
) => [name: string, props: VendorProps, revenue: string | undefined] | undefined;

const CLASS = /(?<!\S)plausible-event-([^\s=]+?)(?:=|--)(\S*)/g;

/** Classes of Plausible (`plausible-event-name=Sign+Up`), or attributes of Umami (`data-umami-event`). */
export const readPeerTags: ReadPeerTags = (given) => {
  const tags: Record<string, string> = {};
  for (const name in given) {
    const [, key] = name.split('data-umami-event');
    if (key !== undefined) tags[key.slice(1) || 'name'] = given[name] as string;
  }
  for (const [, key, text] of (given.class ?? '').matchAll(CLASS))
    tags[key as string] = (text as string).replaceAll('+', ' ');
  const { name, 'revenue-amount': amount, 'revenue-currency': currency, ...props } = tags;
  return name ? [name, props, amount && amount + ' ' + currency] : undefined;
};
