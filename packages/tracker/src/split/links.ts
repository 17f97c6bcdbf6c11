/** `links.js`. */
import type { Part } from '../part.ts';
import { seeClick } from '../parts/links.ts';
import { connect } from './core.ts';

export default ((...core) => {
  connect(...core);
  const signals = core[4];
  signals.push = seeClick;
  signals.splice(0).forEach((path, index, held) => {
    if (Array.isArray(path)) seeClick(held[index - 1] as Event, path);
  });
}) satisfies Part;
