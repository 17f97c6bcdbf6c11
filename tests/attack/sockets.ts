/**
 * Requests that no HTTP library sends, over plain TCP. A good answer is 4xx, or a closed connection. workerd answers 500 to some of them
 * before the service's code runs; in a deployment the provider's edge comes first.
 */
import { connect } from 'node:net';
import { MARK } from '../security/hostile-values.ts';

const PATIENCE_MS = 5000;
const HOST = 'Host: 127.0.0.1\r\n';

const REQUESTS: readonly (readonly [what: string, text: string])[] = [
  ['no request at all', `${MARK}\r\n\r\n`],
  ['an unknown version', `GET / HTTP/9.9\r\n${HOST}\r\n`],
  ['NUL in the path', `GET /\0 HTTP/1.1\r\n${HOST}\r\n`],
  ['a path of 100 KB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${HOST}\r\n`],
  ['a header of 200 KB', `GET / HTTP/1.1\r\n${HOST}X: ${'a'.repeat(200_000)}\r\n\r\n`],
  [
    '2,000 headers',
    `GET / HTTP/1.1\r\n${HOST}${Array.from({ length: 2000 }, (_, at) => `X-${at}: ${MARK}\r\n`).join('')}\r\n`,
  ],
  ['a header over two lines', `GET / HTTP/1.1\r\n${HOST}X: a\r\n b\r\n\r\n`],
  ['a header without a colon', `GET / HTTP/1.1\r\n${HOST}nothing\r\n\r\n`],
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two hosts', `GET / HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`],
  ['another site’s address as path', `GET http://evil.example/ HTTP/1.1\r\n${HOST}\r\n`],
  ['a tunnel', `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`],
  ['a negative length', `POST /api/v1/track HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
  ['two lengths', `POST /api/v1/track HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}`],
  [
    'a length and chunks',
    `POST /api/v1/track HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /${MARK} HTTP/1.1\r\n${HOST}\r\n`,
  ],
  ['a broken chunk', `POST /api/v1/track HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`],
  [
    'a chunk without end',
    `POST /api/v1/track HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nffffffff\r\n{}`,
  ],
  ['a body that never comes', `POST /api/v1/track HTTP/1.1\r\n${HOST}Content-Length: 50\r\n\r\n{`],
  ['headers that never end', `GET / HTTP/1.1\r\n${HOST}X: `],
  ['100 requests at once', `GET /${MARK} HTTP/1.1\r\n${HOST}\r\n`.repeat(100)],
  ['TLS on a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
];

/** A header that every answer of the service has. */
const FROM_SERVICE = /^X-Request-Id: /im;

export interface SocketResult {
  what: string;
  /** The statuses of all answers, or how the connection ended. */
  ended: string;
  fault?: string;
}

/** Sends each of them once to a port of this machine. */
export const attackSockets = (port: number): Promise<SocketResult[]> =>
  Promise.all(
    REQUESTS.map(async ([what, text]) => {
      const answer = await send(port, text);
      const statuses = [...answer.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status));
      const ended = [...new Set(statuses)].join(', ') || 'no answer';
      const failed = statuses.some((status) => status >= 500) && FROM_SERVICE.test(answer);
      return { what, ended, ...(failed && { fault: `${what}: ${ended}` }) };
    }),
  );

function send(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    const end = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PATIENCE_MS, end);
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    socket.on('error', end);
    socket.on('close', end);
  });
}
