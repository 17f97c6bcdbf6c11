/** The file `links.js`. */
import type { Part } from '../part-types.ts';
import { seeClick, takePeerTags } from '../parts/links.ts';
import type { ReadPeerTags } from '../parts/peer-tags.ts';
import { connect, dataset, fileOf, signals } from './core-handover.ts';

/** The script of version 0.2, which browsers keep for some hours, has a list: of clicks, each followed by its path. */
const isList = (given: unknown): given is unknown[] => Array.isArray(given);

export default (async (...core) => {
  connect(core);
  const given: unknown = signals;
  if (isList(given)) {
    const held = given.splice(0);
    Object.assign(given, { push: seeClick });
    held.forEach((event, index) => {
      const path = held[index + 1];
      if (event instanceof Event && Array.isArray(path)) seeClick(event, path);
    });
  }
  // From the folder of this file. Without it all other clicks are reported.
  if ('peers' in dataset)
    await import(fileOf('peers')).then(
      (part: { default: ReadPeerTags }) => takePeerTags(part.default),
      () => {},
    );
  return seeClick;
}) satisfies Part;
