/** A backend that the pages of `PAGE_ORIGIN` may ask. It runs until its parent ends it. */
import { createServer } from 'node:http';
import { start } from '@vendor/sdk-node';

const server = createServer((request, response) => {
  response.setHeader('Access-Control-Allow-Origin', process.env.PAGE_ORIGIN);
  const { pathname, searchParams } = new URL(request.url, 'http://backend');
  if (pathname === '/moved') return response.writeHead(302, { Location: searchParams.get('to') }).end();
  if (request.method === 'POST') return response.writeHead(201).end('{"order":7}');
  if (request.headers['if-none-match'] === '"1"') return response.writeHead(304, { ETag: '"1"' }).end();
  response.writeHead(200, { ETag: '"1"', 'Cache-Control': 'no-cache' }).end('{"orders":[7]}');
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', async () => {
  await start().shutdown();
  process.exit();
});
