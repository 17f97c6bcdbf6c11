/** Asks a shop once for each of its answers, and prints them. The same for every framework. */
import { once } from 'node:events';
import { Readable } from 'node:stream';

/** An answer in pieces, each a turn of the event loop after the other. */
export const pieces = () =>
  Readable.from(
    (async function* () {
      for (const piece of ['one ', 'two ', 'three']) {
        await new Promise(setImmediate);
        yield piece;
      }
    })(),
  );

const ASKED = [
  ['/orders/7?token=secret'],
  ['/orders', { method: 'POST', body: '{"item":"pick"}', headers: { 'Content-Type': 'application/json' } }],
  ['/stream'],
  ['/throws'],
  ['/rejects'],
  ['/first'],
  ['/second'],
  ['/pattern-of-paths'],
  ['/api/items/7'],
  ['/api/broken/7'],
  ['/nowhere'],
  ['/orders/7', { method: 'HEAD' }],
];

export async function askShop(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  for (const [path, init] of ASKED) {
    const response = await fetch(origin + path, init);
    const text = response.status === 404 ? '' : await response.text();
    process.stdout.write(`${JSON.stringify([path, response.status, text])}\n`);
  }
  server.close();
  server.closeAllConnections();
}
