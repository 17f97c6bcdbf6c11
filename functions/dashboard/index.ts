import { healthEntrypoint } from '../../lib/http/health.ts';
import { createDashboardApp } from './app.ts';
import { Env } from './env.ts';

const app = createDashboardApp();

export const Health = healthEntrypoint(Env);

export default { fetch: app.fetch };
