/** `npm start`: the whole service on one machine, for good (docs/self-host.md). */
import cluster from 'node:cluster';
import { useQuickCrypto } from './edge/quick-crypto.ts';
import { readSettings } from './settings.ts';
import { serveForHost } from './start/serve-for-host.ts';
import { startHost } from './start/start-host.ts';

useQuickCrypto();
try {
  if (cluster.isPrimary) await startHost(readSettings(process.env), process.argv.slice(2));
  else await serveForHost(readSettings(process.env));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
