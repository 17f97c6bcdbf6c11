import { healthEntrypoint } from '../../lib/http/health.ts';
import { createSdkApp } from './app.ts';
import { Env } from './env.ts';

const app = createSdkApp();

export const Health = healthEntrypoint(Env);

export default { fetch: app.fetch };
