/**
 * `node --experimental-loader @vendor/sdk-node/hook`: lets the SDK see modules that are imported, not required. Only those that need it: wrapping
 * all of an application's modules breaks some.
 */
import * as hook from 'import-in-the-middle/hook.mjs';

const INCLUDED = { include: ['pino'] };

export const initialize = (): Promise<void> => hook.initialize(INCLUDED);
export const { load, resolve } = hook;
