/** The file `vitals.js`, which the script that includes the other parts loads. */
import type { Part } from '../part-types.ts';
import { beginVitals, endVitals } from '../parts/vitals.ts';
import type { PageView } from '../wire.ts';
import { connect, measurable, own } from './core-handover.ts';

export default ((...core) => {
  connect(core);
  // A later view of the same document has come meanwhile: the vitals aren't its own.
  if ((measurable() as PageView)?.referrer === own('referrer')) beginVitals();
  return endVitals;
}) satisfies Part;
