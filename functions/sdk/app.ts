import { createApp } from '../../lib/http/app.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { Env } from './env.ts';

/** Answers 404 for paths without a file. The platform serves files before it calls this function. */
export function createSdkApp({ log = logToConsole }: { log?: Log } = {}) {
  return createApp({ name: 'sdk', env: Env, log, resources: () => ({}) });
}
