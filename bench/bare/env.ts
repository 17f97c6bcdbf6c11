export { Env } from '../../functions/content/env.ts';
