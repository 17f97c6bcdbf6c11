/** `node --import @vendor/sdk-node/register app.js`: the SDK starts before the application, which stays as it is. */
import { register } from 'node:module';
import { supportsSyncHooks } from 'import-in-the-middle/supports-sync-hooks.mjs';
import { INCLUDED } from './included.ts';
import { start } from './start.ts';

// Hooks in a thread of their own are slower, and Node.js 26 warns of them.
if (supportsSyncHooks()) (await import('import-in-the-middle/register-hooks.mjs')).register(INCLUDED);
else register('@vendor/sdk-node/hook', import.meta.url);
start();
