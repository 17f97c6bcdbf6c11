import { start } from '@vendor/sdk-node';

const sdk = start();
process.once('SIGTERM', async () => {
  await sdk.shutdown();
  process.exit(0);
});
await import('./shop.mjs');
