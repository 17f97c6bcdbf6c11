/** A small server. It tells its CPU time when it is asked. */
const http = require('node:http');

const server = http.createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end('{"status":"created"}');
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', async () => {
  await globalThis.flushTelemetry?.();
  const { user, system } = process.cpuUsage();
  process.send({ cpuMicros: user + system });
});
