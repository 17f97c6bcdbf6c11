/** The file `links.js`. */
import type { Click, Part } from '../part-types.ts';
import { seeClick } from '../parts/links.ts';
import { connect, signals } from './core-handover.ts';

/** The script of version 0.2, which browsers keep for some hours, has a list: of clicks, each followed by its path. */
const isList = (given: unknown): given is Click[number][] => Array.isArray(given);

export default ((...core) => {
  connect(core);
  const given: unknown = signals;
  if (isList(given)) {
    const held = given.splice(0);
    Object.assign(given, { push: seeClick });
    held.forEach((event, index) => {
      const path = held[index + 1];
      if (event instanceof Event && Array.isArray(path)) seeClick(event, path);
    });
  } else {
    signals.click = seeClick;
    for (const click of signals.clicks.splice(0)) seeClick(...click);
  }
}) satisfies Part;
