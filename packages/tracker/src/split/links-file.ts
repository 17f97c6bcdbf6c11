/** The file `links.js`. */
import type { Part } from '../part-types.ts';
import { seeClick } from '../parts/links.ts';
import { connect, signals } from './core-handover.ts';

export default ((...core) => {
  connect(core);
  signals.click = seeClick;
  for (const click of signals.clicks.splice(0)) seeClick(...click);
}) satisfies Part;
