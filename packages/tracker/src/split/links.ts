/** `links.js`. */
import type { Part, SeeClick } from '../part.ts';
import { seeClick } from '../parts/links.ts';
import { connect } from './core.ts';

type Click = Parameters<SeeClick>;

export default ((...core) => {
  connect(...core);
  const signals = core[4];
  signals.splice(0).forEach((path, index, held) => {
    if (Array.isArray(path)) seeClick(held[index - 1] as Click[0], path);
  });
  const { push } = signals;
  signals.push = (signal, path) => (path ? seeClick(signal as Click[0], path) : push.call(signals, signal));
}) satisfies Part;
