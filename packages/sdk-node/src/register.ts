/** `node --import @vendor/sdk-node/register app.js`: the SDK starts before the application, which stays as it is. */
import { register } from 'node:module';
import { start } from './start.ts';

register('@vendor/sdk-node/hook', import.meta.url);
start();
