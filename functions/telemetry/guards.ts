import type { createApp } from '../../lib/http/app.ts';
import { sessionGuards } from '../../lib/http/session-api.ts';
import type { Env } from './env.ts';
import type { Resources } from './resources.ts';

export type TelemetryApp = ReturnType<typeof createApp<typeof Env, object, Resources>>;

export type Guards = ReturnType<typeof createGuards>;

export const createGuards = () => sessionGuards<Resources>();
