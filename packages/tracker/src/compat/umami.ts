import { own } from '../own.ts';
import { safe } from '../safe.ts';
import { page, track } from './vendor-calls.ts';

interface Payload {
  name?: string;
  url?: string;
  data?: VendorProps | undefined;
}

type Given =
  | string
  | Payload
  | ((payload: Payload & object) => Payload | false | null | undefined)
  | undefined;

const report = safe((given: Given, more?: VendorProps): void => {
  const present = { url: location.href, title: own('title'), referrer: own('referrer') };
  const said = typeof given === 'function' ? given(present) : given;
  if (said === null || said === false) return;
  const { name, url, data } = typeof said === 'string' ? { name: said, data: more } : (said ?? {});
  const options = url ? { url: new URL(url, location.href).href } : {};
  const { revenue, currency, ...props } = data ?? {};
  if (!name) page(options);
  else if (revenue && currency) track(name, props, revenue + ' ' + currency, options);
  else track(name, data, undefined, options);
});

/** `umami.track()` in all its forms. `umami.identify()` does nothing: visitors have no names here. */
export const umami = {
  track: async (given: Given, data?: VendorProps): Promise<void> => report(given, data),
  identify: async (): Promise<void> => {},
};
