/** Each way to begin an answer. `exposed`: a page of a listed origin can read the trace. */
import { Readable } from 'node:stream';

const way = (name, run, exposed = true, method = 'GET') => ({ name, run, exposed, method });
const TYPE = { 'Content-Type': 'text/plain' };
const MERGED = ['db;dur=1', 'X-Own', 'https://other.example'];
const NAMES = ['Server-Timing', 'Access-Control-Expose-Headers', 'Timing-Allow-Origin'];
const merged = () => Object.fromEntries(NAMES.map((name, index) => [name, MERGED[index]]));
const setAll = (response) => {
  for (const [name, value] of Object.entries(merged())) response.setHeader(name, value);
};
/** Headers of a GET that say whether a cache may keep it. */
const kept = (headers, exposed, method = 'GET') =>
  way(
    `${method} ${JSON.stringify(headers)}`,
    (response) => response.writeHead(200, headers).end('x'),
    exposed,
    method,
  );

/** What is wrong is thrown as ever; the application then answers 500. */
const fails = (name, begin) =>
  way(name, (response) => {
    try {
      begin(response);
    } catch (error) {
      response.writeHead(500, 'Failed', { 'X-Error': `${error.code}` }).end(error.message);
    }
  });

export const WAYS = [
  way('end', (response) => response.end('x')),
  way('write', (response) => {
    response.write('x');
    response.end('y');
  }),
  way('pipe', (response) => Readable.from(['one ', 'two']).pipe(response)),
  way('flushHeaders', (response) => {
    response.flushHeaders();
    response.end('x');
  }),
  way('status', (response) => response.writeHead(201).end('x')),
  way('status as text', (response) => response.writeHead('201').end('x')),
  way('statusCode', (response) => {
    response.statusCode = 404;
    response.end('x');
  }),
  way('reason', (response) => response.writeHead(200, 'Fine').end('x')),
  way('reason, nothing', (response) => response.writeHead(200, 'Fine', null).end('x')),
  way('object', (response) => response.writeHead(200, TYPE).end('x')),
  way('frozen object', (response) => response.writeHead(200, Object.freeze({ ...TYPE })).end('x')),
  way('reason, object', (response) => response.writeHead(200, 'Fine', TYPE).end('x')),
  way('undefined, object', (response) => response.writeHead(200, undefined, TYPE).end('x')),
  way('lists', (response) =>
    response.writeHead(200, { 'Set-Cookie': ['a=1', 'b=2'], 'X-Own': ['a', 'b'] }).end('x'),
  ),
  way('flat', (response) =>
    response.writeHead(200, ['X-Own', 'a', 'x-own', 'b', 'Set-Cookie', ['c=1', 'd=2']]).end('x'),
  ),
  way('reason, flat', (response) => response.writeHead(200, 'Fine', ['X-Own', 'a']).end('x')),
  way('no flat', (response) => response.writeHead(200, []).end('x')),
  way('pairs', (response) =>
    response
      .writeHead(200, [
        ['X-Own', 'a'],
        ['X-Own', 'b'],
      ])
      .end('x'),
  ),
  way('object without prototype', (response) =>
    response.writeHead(200, Object.assign(Object.create(null), TYPE)).end('x'),
  ),
  way('set', (response) => {
    response.setHeader('X-Own', 'a').end('x');
  }),
  way('set, object', (response) => {
    response
      .setHeader('X-Own', 'a')
      .writeHead(200, { 'x-own': 'b', ...TYPE })
      .end('x');
  }),
  way('set, flat', (response) => {
    response.setHeader('X-Own', 'a').writeHead(200, ['X-Own', 'b', 'X-Own', 'c']).end('x');
  }),
  way('appended', (response) => {
    response.appendHeader('Server-Timing', 'a').appendHeader('Server-Timing', 'b').end('x');
  }),
  way('merged with set', (response) => {
    setAll(response);
    response.end('x');
  }),
  way('merged with set, object', (response) => {
    setAll(response);
    response.writeHead(200, TYPE).end('x');
  }),
  way('merged with set, flat', (response) => {
    setAll(response);
    response.writeHead(200, ['X-Own', 'a']).end('x');
  }),
  way('object over set', (response) => {
    setAll(response);
    response.writeHead(200, { 'server-timing': 'over' }).end('x');
  }),
  way('flat over set', (response) => {
    setAll(response);
    response.writeHead(200, ['server-timing', 'over']).end('x');
  }),
  way('merged with object', (response) => response.writeHead(200, merged()).end('x')),
  way('merged with list', (response) => response.writeHead(200, { 'SERVER-TIMING': ['a', 'b'] }).end('x')),
  way('merged with flat', (response) => response.writeHead(200, Object.entries(merged()).flat()).end('x')),
  way('merged with pairs', (response) => response.writeHead(200, Object.entries(merged())).end('x')),
  way('everything allowed', (response) =>
    response
      .writeHead(200, { 'Timing-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'server-timing' })
      .end('x'),
  ),
  way('204', (response) => response.writeHead(204).end()),
  way('304', (response) => response.writeHead(304, { ETag: '"1"' }).end()),
  way('500', (response) => response.writeHead(500, 'Own', TYPE).end('x')),
  way('HEAD', (response) => response.writeHead(200, TYPE).end(), true, 'HEAD'),
  way('early hints', (response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    response.end('x');
  }),
  way('a library in between', (response) => {
    const { writeHead } = response;
    response.writeHead = function (...args) {
      this.setHeader('X-Library', String(args.length));
      return writeHead.apply(this, args);
    };
    response.end('x');
  }),
  way('trailers', (response) => {
    response.writeHead(200, { Trailer: 'X-End' });
    response.write('x');
    response.addTrailers({ 'X-End': '1' });
    response.end();
  }),

  ...[302, 301, 307].map((status) =>
    way(`${status}`, (response) => response.writeHead(status, { Location: '/end' }).end(), false),
  ),
  kept({ 'Cache-Control': 'no-store' }, true),
  kept({ 'Cache-Control': 'private' }, true),
  kept({ 'cache-control': 'private, no-cache' }, true),
  kept({ 'Cache-Control': 'max-age=0, must-revalidate' }, true),
  kept({ 'Cache-Control': 'no-cache, max-age=60' }, true),
  kept({ 'Cache-Control': 'private', 'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }, true),
  kept({ ETag: '"1"' }, true),
  kept({ 'Cache-Control': 'max-age=60' }, true, 'POST'),
  kept({ 'Cache-Control': 'max-age=60' }, false),
  kept({ 'Cache-Control': 'Private, Max-Age = "60"' }, false),
  kept({ 'cache-control': ['public'] }, false),
  kept({ 'Cache-Control': 's-maxage=1' }, false),
  kept({ 'Cache-Control': 'max-age=60, no-cache="Set-Cookie"' }, false),
  kept({ Expires: 'Thu, 01 Jan 2099 00:00:00 GMT' }, false),
  kept({ 'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }, false),
  kept({ 'CDN-Cache-Control': 'max-age=60' }, false),
  way(
    'cacheable by what was set',
    (response) => {
      response.setHeader('Cache-Control', 'public').end('x');
    },
    false,
  ),

  fails('status below 100', (response) => response.writeHead(42, TYPE)),
  fails('odd array', (response) => response.writeHead(200, ['X-Own'])),
  fails('no value', (response) => response.writeHead(200, { 'X-Own': undefined })),
  fails('no value of ours', (response) => response.writeHead(200, { 'Server-Timing': undefined })),
  fails('value with a line break', (response) => response.writeHead(200, { 'X-Own': 'a\nb' })),
  fails('reason with a line break', (response) => response.writeHead(200, 'a\nb', TYPE)),
  fails('set, reason with a line break', (response) =>
    response.setHeader('X-Own', 'a').writeHead(200, 'a\nb', TYPE),
  ),
  fails('set, pairs', (response) =>
    response.setHeader('X-Own', 'a').writeHead(200, [
      ['X-A', '1'],
      ['X-B', '2'],
    ]),
  ),
  fails('a getter that throws', (response) =>
    response.writeHead(200, {
      get broken() {
        throw new RangeError('own');
      },
    }),
  ),
  way('twice', (response) => {
    response.writeHead(200, TYPE);
    try {
      response.writeHead(200, TYPE);
    } catch (error) {
      response.end(error.code);
    }
  }),
];
