import { healthEntrypoint } from '../../lib/http/health.ts';
import { createScriptApp } from './app.ts';
import { Env } from './env.ts';

const app = createScriptApp();

export const Health = healthEntrypoint(Env);

export default { fetch: app.fetch };
