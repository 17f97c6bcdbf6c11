import fc from 'fast-check';
import { requestOf } from '../../security/example-request.ts';
import { MARK } from '../../security/hostile-values.ts';
import type { Attacker, Attempt } from '../attempt.ts';
import { TARGETS } from '../targets.ts';

const NAMES = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Content-Encoding',
  'Content-Type',
  'Content-Language',
  'Cookie',
  'Origin',
  'Referer',
  'User-Agent',
  'Sec-Fetch-Site',
  'Sec-GPC',
  'DNT',
  'X-Request-Id',
  'X-HTTP-Method-Override',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Original-URL',
  'Forwarded',
  'CF-Connecting-IP',
  'CF-IPCountry',
  'X-Dev-Country',
  'X-Forwarded-For',
  'Range',
  'If-None-Match',
  'If-Match',
  'If-Modified-Since',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'traceparent',
  'baggage',
];

/** What may stand in a header: anything of Latin-1 but control characters. */
const text = fc.oneof(
  fc.constantFrom(
    '*',
    'null',
    '0',
    '-1',
    '1'.repeat(400),
    'gzip',
    'br, zstd',
    'gzip, gzip',
    'application/json; charset=utf-7',
    'text/event-stream',
    'https://evil.example',
    'http://127.0.0.1:1',
    'cross-site',
    'bytes=0-,-1',
    'W/"x", *',
    'xx-'.repeat(300),
    `"${MARK}"`,
    `${MARK}' or 1=1 --`,
    MARK.repeat(500),
    '2001:db8::1%eth0, 127.0.0.1',
    '\u00ff\u0080',
  ),
  fc.stringMatching(/^[\x21-\x7e]{0,60}$/).map((plain) => plain + MARK),
);

/**
 * A documented request with up to four hostile headers. The caller's own credential stays, so that the request gets past authentication.
 */
export const hostileHeaders = ({ own }: Attacker): fc.Arbitrary<Attempt> =>
  fc
    .tuple(
      fc.constantFrom(...TARGETS.filter(({ route }) => route.method !== 'DELETE')),
      fc.nat(5),
      fc.array(fc.tuple(fc.constantFrom(...NAMES), text), { minLength: 1, maxLength: 4 }),
    )
    .map(([target, number, pairs]) => {
      const { examples } = target.route;
      const example = examples[number % Math.max(1, examples.length)] ?? { summary: '', status: 400 };
      const [path, init] = requestOf(target.route, example, own);
      const headers = new Headers(init.headers);
      for (const [name, value] of pairs) headers.set(name, value);
      // Answers to preflights and preconditions aren't documented for each route.
      return { ...target, path, init: { ...init, headers }, elsewhere: true as const };
    });
