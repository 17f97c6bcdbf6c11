import { createApp } from '../../lib/http/app.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { Env } from './env.ts';

/** Answers 404 for paths without a file. The platform serves files before it calls this function. */
export function createScriptApp({ log = logToConsole }: { log?: Log } = {}) {
  return createApp({ name: 'script', env: Env, log, resources: () => ({}) });
}
