/**
 * What a visitor clicks and submits: tagged elements, and with their attributes links to other hosts, downloads and forms.
 * Nothing is prevented or delayed, and of an address only origin and path go on.
 */
import type { SeeClick } from '../part.ts';
import { dataset } from '../script.ts';
import { track } from '../track.ts';

/** Unless `data-downloads` names others. */
const FILES =
  '7z|avi|csv|docx?|dmg|epub|exe|gz|iso|mov|mp[34]|msi|od[st]|pdf|pkg|pptx?|rar|rtf|txt|wav|xlsx?|zip';
const MAX_LENGTH = 512;

export const seeClick: SeeClick = ({ type, button }, path) => {
  const submitted = type === 'submit';
  for (const { attributes = [], localName } of path as Partial<Element>[]) {
    // The third button opens a menu, and what is chosen there isn't known. A submission has none.
    if ((button as number) > 1 || submitted !== (localName === 'form')) continue;
    const props: VendorProps = {};
    const given: Record<string, string> = {};
    for (const { name, value } of attributes) {
      given[name] = value;
      const [, prop] = name.split('data-vendor-prop-');
      if (prop) props[prop] = value;
    }
    const { id, name, action, href, 'data-vendor-event': tag } = given;
    // Resolves addresses as the page's own links do, and throws at none.
    const link = document.createElement('a');
    link.href = (submitted ? action : href) || '';
    const { host, pathname } = link;
    const url = (link.origin + pathname).slice(0, MAX_LENGTH);
    if (tag) track(tag, props);
    else if (submitted) {
      if ('forms' in dataset)
        track('Form', { form: id || name || '', action: pathname.slice(0, MAX_LENGTH) });
    } else if (href && host)
      if (
        'downloads' in dataset &&
        RegExp(`\\.(${dataset.downloads?.replace(/\W+/g, '|') || FILES})$`, 'i').test(pathname)
      )
        track('Download', { url });
      else if ('outbound' in dataset && host !== location.host) track('Outbound link', { url });
  }
};
