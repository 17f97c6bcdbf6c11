import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { createScratchDatabase } from '../../../dev/scratch-database.ts';
import { PgliteStream } from '../../../tooling/neon/pglite-stream.ts';

/** An empty PostgreSQL that other processes reach: on the server of TEST_DATABASE_URL, or embedded behind a socket, for one connection. */
export async function startShopDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  const { TEST_DATABASE_URL: serverUrl } = process.env;
  if (serverUrl) {
    const { url, drop } = await createScratchDatabase(serverUrl);
    return { url, close: drop };
  }
  const embedded = await PGlite.create();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.pipe(new PgliteStream(embedded)).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    close: async () => {
      server.close();
      await embedded.close();
    },
  };
}
