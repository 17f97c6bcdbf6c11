/**
 * Events for clicks and submissions: of tagged elements, and, where attributes ask for them, links to other hosts, downloads and forms.
 * Nothing is prevented or delayed. Only origin and path of an address are sent.
 */
import { own } from '../own.ts';
import type { SeeClick } from '../part-types.ts';
import { dataset } from '../script-tag.ts';
import { track } from '../track.ts';
import type { ReadPeerTags } from './peer-tags.ts';

/** The extensions of downloads, unless `data-downloads` names others. */
const FILES =
  '7z|avi|csv|dmg|docx?|epub|exe|gz|iso|key|mov|mp3|mp4|mpe?g|msi|ods|odt|pdf|pkg|pptx?|rar|rtf|txt|wav|xlsx?|zip';
const MAX_LENGTH = 512;

/** Finds the event of an element as other tools have it, by its attributes. */
let readPeerTags: ReadPeerTags | undefined;

export const takePeerTags = (read: ReadPeerTags): void => {
  readPeerTags = read;
};

/** From the innermost element outwards: the first that has an event sends it, and it is the only one. */
export const seeClick: SeeClick = ({ type, button = 0 }, path) => {
  const submitted = type === 'submit';
  // The third button opens a menu, and what is chosen there isn't known.
  for (const element of (button > 1 ? [] : path) as Element[])
    try {
      // A field of a form with such a name is a property of the form. The document and the window have none: this throws.
      const kind = Reflect.get(Element.prototype, 'localName', element);
      const props: VendorProps = {};
      const given: Record<string, string> = {};
      for (const { value, name } of Reflect.get(Element.prototype, 'attributes', element)) {
        given[name] = value;
        const prop = name.split('data-vendor-prop-')[1];
        if (prop) props[prop] = value;
      }
      const {
        'data-vendor-event': tag,
        'data-vendor-revenue': revenue,
        'xlink:href': drawn = '',
        href = drawn,
        action = href,
        name = '',
        id,
      } = given;
      // Of a form only its submission counts, for the elements around it too.
      if (kind === 'form' && !submitted) return;
      if (tag) return track(tag, props, revenue);
      const peer = readPeerTags?.(given);
      if (peer) return track(...peer);
      // An address that is none has no event of its own: this throws.
      const { host, origin, pathname } = new URL(action, own('baseURI'));
      const url = (origin + pathname).slice(0, MAX_LENGTH);
      if (submitted) {
        if (kind === 'form' && 'forms' in dataset)
          return track('Form', { form: id || name, action: pathname.slice(0, MAX_LENGTH) });
      } else if (host && href && /^a(rea)?$/.test(kind)) {
        if (
          'downloads' in dataset &&
          ('download' in given ||
            RegExp('\\.(' + ((dataset.downloads as string).replace(/\W+/g, '|') || FILES) + ')$', 'i').test(
              pathname,
            ))
        )
          return track('Download', { url });
        if ('outbound' in dataset && host !== location.host) return track('Outbound link', { url });
      }
    } catch {}
};
