/** The file `association.js`, which `measure.js` loads. */
import type { Part } from '../part-types.ts';
import { watchRequests } from '../parts/association.ts';
import { connect } from './core-handover.ts';

export default ((...core) => {
  connect(core);
  watchRequests();
}) satisfies Part;
