import { healthEntrypoint } from '../../lib/http/health.ts';
import { createTrackApp } from './app.ts';
import { Env } from './env.ts';

export const Health = healthEntrypoint(Env);

export default { fetch: createTrackApp().fetch };
