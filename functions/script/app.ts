import { createApp } from '../../lib/http/app.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { Env } from './env.ts';

/** 404 for what is beside the files, which are served before this is asked. */
export function createScriptApp({ log = logToConsole }: { log?: Log } = {}) {
  return createApp({ name: 'script', env: Env, log, resources: () => ({}) });
}
