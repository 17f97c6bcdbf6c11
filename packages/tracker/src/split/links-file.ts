/** The file `links.js`. */
import type { Part } from '../part-types.ts';
import { seeClick } from '../parts/links.ts';
import { connect, signals } from './core-handover.ts';

export default ((...core) => {
  connect(core);
  signals.push = seeClick;
  signals.splice(0).forEach((path, index, held) => {
    if (Array.isArray(path)) seeClick(held[index - 1] as Event, path);
  });
}) satisfies Part;
