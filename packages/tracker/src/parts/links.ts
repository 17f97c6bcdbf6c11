/**
 * Events for clicks and submissions: of tagged elements, and, where attributes ask for them, links to other hosts, downloads and forms.
 * Nothing is prevented or delayed. Only origin and path of an address are sent.
 */
import type { SeeClick } from '../part-types.ts';
import { dataset } from '../script-tag.ts';
import { track } from '../track.ts';

/** The extensions of downloads, unless `data-downloads` names others. */
const FILES =
  '7z|avi|csv|dmg|docx?|epub|exe|gz|iso|mov|mp3|mp4|msi|ods|odt|pdf|pkg|pptx?|rar|rtf|txt|wav|xlsx?|zip';
const MAX_LENGTH = 512;

export const seeClick: SeeClick = (event, path = event.composedPath(), submitted = event.type > 'p') => {
  // `submit` alone comes after `p`.
  // The third button opens a menu, and what is chosen there isn't known. A submission has none.
  // An invalid address has no event.
  for (const { attributes, localName } of ((event.button as number) > 1 ? [] : path) as Element[])
    try {
      if (submitted === (localName === 'form')) {
        const props: VendorProps = {};
        const given: Record<string, string> = {};
        for (const { value, name } of attributes) {
          given[name] = value;
          const prop = name.split('data-vendor-prop-')[1];
          if (prop) props[prop] = value;
        }
        const { href = '', action = href, 'data-vendor-event': tag, name = '', id } = given;
        const { host, origin, pathname } = new URL(action, document.baseURI);
        const url = (origin + pathname).slice(0, MAX_LENGTH);
        if (tag) track(tag, props);
        else if (submitted) {
          if ('forms' in dataset) track('Form', { form: id || name, action: pathname.slice(0, MAX_LENGTH) });
        } else if (host && href)
          if (
            'downloads' in dataset &&
            RegExp('\\.(' + ((dataset.downloads as string).replace(/\W+/g, '|') || FILES) + ')$', 'i').test(
              pathname,
            )
          )
            track('Download', { url });
          else if ('outbound' in dataset && host !== location.host) track('Outbound link', { url });
      }
    } catch {}
};
