/** A thread that answers one request and ends as its first argument says. */
import http from 'node:http';

const ends = {
  end() {},
  exit: () => process.exit(3),
  throw() {
    throw new RangeError('broken');
  },
};
const server = http.createServer((_request, response) => response.end('hello'));
server.listen(0, '127.0.0.1', async () => {
  await (await fetch(`http://127.0.0.1:${server.address().port}`)).text();
  server.close();
  server.closeAllConnections();
  ends[process.argv[2]]();
});
