/** `node --experimental-loader @vendor/sdk-node/hook`: lets the SDK see modules that are imported, not required. */
import * as hook from 'import-in-the-middle/hook.mjs';
import { INCLUDED } from './included.ts';

export const initialize = (): Promise<void> => hook.initialize(INCLUDED);
export const { load, resolve } = hook;
