/** `measure.js`. */
import type { Part } from '../part.ts';
import { measureScroll, seeMoment } from '../parts/measure.ts';
import { connect } from './core.ts';

export default ((...core) => {
  connect(...core);
  core[4].see = seeMoment;
  measureScroll();
  seeMoment();
}) satisfies Part;
