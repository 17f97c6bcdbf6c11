/** `measure.js`. */
import type { Moment, Part } from '../part.ts';
import { seeMoment } from '../parts/measure.ts';
import { connect } from './core.ts';

export default ((...core) => {
  connect(...core);
  const signals = core[4];
  const { push } = signals;
  signals.push = (signal, path) => (path ? push.call(signals, signal, path) : seeMoment(signal as Moment));
  seeMoment();
}) satisfies Part;
