/** Answers each way on one connection, and prints what came. `HEADS_ASK`: other requests, of the way `end`. */
import http from 'node:http';
import { WAYS } from './head-ways.mjs';

const server = http.createServer((request, response) => {
  WAYS[Number(request.url.slice(1))].run(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const sockets = new Set();

const ask = (method, path, headers) =>
  new Promise((resolve, reject) => {
    http
      .request({ agent, method, path, headers, port: server.address().port }, (response) => {
        sockets.add(response.socket);
        const { statusCode, statusMessage, rawHeaders, trailers } = response;
        response
          .toArray()
          .then((chunks) =>
            resolve([statusCode, statusMessage, rawHeaders, String(Buffer.concat(chunks)), trailers]),
          );
      })
      .on('error', reject)
      .end();
  });

const answers = [];
if (process.env.HEADS_ASK)
  for (const { headers, method = 'GET' } of JSON.parse(process.env.HEADS_ASK))
    answers.push(await ask(method, '/0', headers));
else
  for (const [index, { method }] of WAYS.entries())
    answers.push(await ask(method, `/${index}`, { Origin: 'https://shop.example' }));
const ways = WAYS.map(({ name, exposed }) => ({ name, exposed }));
process.stdout.write(JSON.stringify({ ways, answers, connections: sockets.size }));
server.close();
agent.destroy();
