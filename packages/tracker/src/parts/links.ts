/**
 * What a visitor clicks and submits: tagged elements, and with their attributes links to other hosts, downloads and forms.
 * Nothing is prevented or delayed, and of an address only origin and path go on.
 */
import type { Part } from '../signals.ts';

/** Unless `data-downloads` names others. */
const FILES =
  '7z|avi|csv|dmg|docx?|epub|exe|gz|iso|mov|mp[34]|msi|od[st]|pdf|pkg|pptx?|rar|rtf|txt|wav|xlsx?|zip';
const MAX_LENGTH = 512;

export default ((signals, settings, track) => {
  // Resolves addresses as the page's own links do, and throws at none.
  const link = document.createElement('a');

  const see = ({ type, button = 0 }: { type: string; button?: number }, path: EventTarget[]): void => {
    const submitted = type === 'submit';
    for (const element of path as Partial<Element>[]) {
      const { attributes = [], localName } = element;
      // The third button opens a menu, and what is chosen there isn't known.
      if (button > 1 || submitted !== (localName === 'form')) continue;
      const props: VendorProps = {};
      const given: Record<string, string> = {};
      for (const { name, value } of attributes) {
        given[name] = value;
        if (/^data-vendor-prop-./.test(name)) props[name.slice(17)] = value;
      }
      const { id, name, action, href, 'data-vendor-event': tag } = given;
      link.href = (submitted ? action : href) || '';
      const { host, pathname } = link;
      const url = (link.origin + pathname).slice(0, MAX_LENGTH);
      if (tag) track(tag, props);
      else if (submitted) {
        if ('forms' in settings)
          track('Form', { form: id || name || '', action: pathname.slice(0, MAX_LENGTH) });
      } else if (href && host)
        if (
          'downloads' in settings &&
          RegExp(`\\.(${settings.downloads?.replace(/\W+/g, '|') || FILES})$`, 'i').test(pathname)
        )
          track('Download', { url });
        else if ('outbound' in settings && host !== location.host) track('Outbound link', { url });
    }
  };

  signals.splice(0).forEach((path, index, held) => {
    if (Array.isArray(path)) see(held[index - 1] as Event, path);
  });
  const { push } = signals;
  signals.push = (signal, path) => (path ? see(signal as Event, path) : push.call(signals, signal));
}) satisfies Part;
