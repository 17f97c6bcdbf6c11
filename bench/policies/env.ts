export { Env } from '../../functions/sites/env.ts';
