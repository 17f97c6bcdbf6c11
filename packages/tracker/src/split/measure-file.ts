/** The file `measure.js`. */
import type { Part } from '../part-types.ts';
import { measureScroll, seeMoment } from '../parts/measure.ts';
import { connect, signals } from './core-handover.ts';

export default ((...core) => {
  connect(core);
  signals.see = seeMoment;
  measureScroll();
  seeMoment();
}) satisfies Part;
