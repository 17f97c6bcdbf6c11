import { healthEntrypoint } from '../../lib/http/health.ts';
import { createContentApp } from './app.ts';
import { Env } from './env.ts';

const app = createContentApp();

export const Health = healthEntrypoint(Env);

export default { fetch: app.fetch };
