/** The file `debug.js`, which `guard.js` loads. */
import type { Part } from '../part-types.ts';
import { createDebug } from '../parts/debug.ts';
import { connect } from './core-handover.ts';

export default ((...core) => {
  connect(core);
  return createDebug();
}) satisfies Part;
