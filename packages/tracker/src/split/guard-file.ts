/** The file `guard.js`. */
import type { Part } from '../part-types.ts';
import { createSend } from '../parts/guard.ts';
import { connect } from './core-handover.ts';

export default ((...core) => {
  connect(core);
  return createSend();
}) satisfies Part;
