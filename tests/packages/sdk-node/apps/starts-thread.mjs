/** Starts a thread with the options in THREAD_OPTIONS, as JSON, and prints how it ends. */
import { Worker } from 'node:worker_threads';

const { isWatched = true, ...options } = JSON.parse(process.env.THREAD_OPTIONS);
const worker = new Worker(new URL('thread.mjs', import.meta.url), options);
if (isWatched) worker.on('error', ({ message }) => console.log('error', message));
worker.on('exit', (code) => console.log('exit', code));
