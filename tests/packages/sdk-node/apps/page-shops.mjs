/** Shops on Express, Fastify and http2, asked as a page on another origin asks. Prints what came. */
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import express from 'express';
import fastify from 'fastify';
import { pieces } from './ask-shop.mjs';

const MODIFIED = { 'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT' };

function makeExpress() {
  const app = express();
  app.get('/json', (_request, response) => response.json({ a: 1 }));
  app.get('/stream', (_request, response) => pieces().pipe(response));
  app.get('/error', () => {
    throw new Error('own');
  });
  app.get('/redirected', (_request, response) => response.redirect('/json'));
  app.get('/file', (_request, response) => response.set(MODIFIED).send('file'));
  app.post('/post', (_request, response) => response.status(201).send('made'));
  app.use((error, _request, response, _next) => response.status(500).send(error.message));
  return http.createServer(app);
}

async function makeFastify() {
  const app = fastify();
  app.get('/json', async (request, reply) => {
    reply.header('ETag', '"1"');
    return request.headers['if-none-match'] === '"1"' ? reply.code(304).send() : { a: 1 };
  });
  app.get('/stream', (_request, reply) => reply.send(pieces()));
  app.get('/error', async () => {
    throw new Error('own');
  });
  app.get('/redirected', (_request, reply) => reply.redirect('/json'));
  app.get('/file', async (_request, reply) => reply.headers(MODIFIED).send('file'));
  app.post('/post', async (_request, reply) => reply.code(201).send('made'));
  await app.ready();
  return app.server;
}

const print = (...what) => process.stdout.write(`${JSON.stringify(what)}\n`);

for (const [name, server] of [
  ['express', makeExpress()],
  ['fastify', await makeFastify()],
]) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let etag;
  for (const path of ['/json', '/again', '/stream', '/error', '/nowhere', '/redirected', '/file', '/post']) {
    const again = path === '/again';
    const response = await fetch(`http://127.0.0.1:${server.address().port}${again ? '/json' : path}`, {
      method: path === '/post' ? 'POST' : 'GET',
      headers: {
        Origin: 'https://shop.example',
        ...(again && { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' }),
      },
    });
    etag ??= response.headers.get('etag');
    const { status, headers } = response;
    const timing = headers.get('server-timing');
    print(
      name,
      path,
      timing,
      status,
      headers.get('content-type'),
      headers.get('content-length'),
      await response.text(),
    );
  }
  server.close();
  server.closeAllConnections();
}

const server = http2.createServer((_request, response) => response.writeHead(200, { 'X-Own': 'a' }).end('x'));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
const stream = client.request({ ':path': '/', origin: 'https://shop.example' });
const [headers] = await once(stream, 'response');
const text = String(Buffer.concat(await stream.toArray()));
print('http2', '/', headers['server-timing'] ?? null, headers[':status'], headers['x-own'], text);
client.close();
server.close();
