import { own } from '../own.ts';
import { safe } from '../safe.ts';
import { page, track } from './vendor-calls.ts';

interface Payload {
  name?: string;
  url?: string;
  data?: VendorProps | undefined;
}

type Given = string | Payload | ((payload: object) => Payload | false | null | undefined) | undefined;

const report = safe((given: Given, more?: VendorProps): void => {
  const payload =
    typeof given === 'function'
      ? given({ url: location.href, title: own('title'), referrer: own('referrer') })
      : typeof given === 'string'
        ? { name: given, data: more }
        : given || {};
  if (!payload) return;
  const { name, url, data } = payload;
  const { revenue, currency, ...props } = data ?? {};
  const isPaid = revenue && currency;
  const options = { url: url && new URL(url, location.href).href } as VendorSending;
  if (name) track(name, isPaid ? props : data, isPaid ? revenue + ' ' + currency : undefined, options);
  else page(options);
});

/** `umami.track()` in all its forms. `umami.identify()` does nothing: visitors have no names here. */
export const umami = {
  track: async (given: Given, data?: VendorProps): Promise<void> => report(given, data),
  identify: async (): Promise<void> => {},
};
