/** The ways in which Redis may fail. */
import type { Behaviour } from './redis-proxy.ts';

/** Encodes text like the endpoint. */
export const encode = (text: string): string => Buffer.from(text).toString('base64');

export const FAULTS: readonly [string, Behaviour][] = [
  ['never answers', 'hang'],
  ['begins an answer and never ends it', 'stall'],
  ['cuts connections', 'cut'],
  ['answers after over 800 ms', { delayMs: 1000 }],
  ['answers a page', { body: '<html><body>Welcome</body></html>', type: 'text/html' }],
  ['answers a gateway’s error', { status: 502, body: '<html>Bad gateway</html>', type: 'text/html' }],
  ['answers nothing', { body: '' }],
  ['answers broken JSON', { body: '{"result":["{' }],
  ['answers other JSON', { body: '{}' }],
  ['answers null', { body: 'null' }],
  ['answers an empty result', { result: null }],
  ['answers a number', { result: 1 }],
  ['answers a text', { result: encode('OK') }],
  ['answers too little', { result: [] }],
  ['answers too much', { result: ['1', '2', '3'].map(encode) }],
  ['answers nothing but nulls', { result: [null, null] }],
  ['answers numbers', { result: [1, 2] }],
  ['answers objects', { result: [{ head: 1 }, { a: 2 }] }],
  ['answers a list of lists', { result: [[encode('head')]] }],
  ['answers an error', { status: 400, body: '{"error":"WRONGTYPE Operation against a key"}' }],
  ['refuses the token', { status: 401, body: '{"error":"WRONGPASS invalid or missing auth token"}' }],
  ['is over its limit', { status: 429, body: '{"error":"ERR max daily request limit exceeded"}' }],
  ['is out of reach of its endpoint', { status: 503, body: '{"error":"out of reach"}' }],
  ['answers an error of its own', { status: 500, body: 'Internal error' }],
];
