/** The file `measure.js`. */
import type { Part } from '../part-types.ts';
import { measureScroll, seeMoment } from '../parts/measure.ts';
import { connect, dataset, fileOf, signals } from './core-handover.ts';

export default ((...core) => {
  connect(core);
  signals.see = seeMoment;
  measureScroll();
  seeMoment();
  if ('origins' in dataset)
    // From the folder of this file.
    import(fileOf('association')).then((part: { default: Part }) => part.default(...core)).catch(() => {});
}) satisfies Part;
