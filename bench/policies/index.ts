/** The sites function, of which only policies are asked, also without a binding. */
import { Policies } from '../../functions/sites/index.ts';

export { Health } from '../../functions/sites/index.ts';
export { Policies };
export default Policies;
