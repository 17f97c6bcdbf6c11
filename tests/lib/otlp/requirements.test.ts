import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The requirements on the receiver (docs/telemetry.md#receiver), each with the test (file, then name) that checks it. */
const REQUIREMENTS: readonly (readonly [requirement: string, file: string, test: string])[] = [
  ['Rule 1: protobuf and JSON, parameters ignored', 'transport', 'content type %s is %s'],
  ['Rule 1: other types are 415', 'transport', 'content type %s is refused'],
  ['Rule 1: the answer has the type of the request', 'transport', 'is an empty message if all was taken'],
  ['Rule 2: gzip or none', 'transport', 'content encoding %s is %s'],
  ['Rule 2: other encodings are 415', 'transport', 'content encoding %s is refused'],
  ['Rule 2: size is counted while inflating', 'transport', 'stops at a bomb: 4 MiB that would be 4 GiB'],
  ['Rule 3: full success is an empty message', 'transport', 'is an empty message if all was taken'],
  ['Rule 3: an empty request succeeds', 'rows', 'an empty request has no rows'],
  ['Rule 4: partial success counts by signal', 'transport', 'tells that %i were refused'],
  ['Rule 4: none rejected is a warning', 'transport', 'tells a warning with none refused'],
  [
    'Rule 5: errors are a google.rpc.Status',
    'transport',
    'an error is a google.rpc.Status in the type of the request',
  ],
  ['Rule 2: several members', '../../functions/receiver/otlp.service', 'of %i bytes each are all read'],
  ['Rule 5: where and why', 'transport', 'an error names the broken rules as a google.rpc.BadRequest'],
  ['Rule 7: all digits', 'rows', 'values and counts of points'],
  ['Rule 6: an undecodable body is 400', 'wire', '%s is undecodable'],
  [
    'Rule 6: a database away is 503',
    '../../clients/outage.service',
    'meanwhile a sender gets an answer to come back soon, in its own encoding',
  ],
  [
    'Rule 6: what was answered 503 arrives, once',
    '../../clients/outage.service',
    'loses nothing, and stores nothing twice',
  ],
  [
    'Rule 8: the answer says to come back within 3 s',
    '../../functions/receiver/otlp.service',
    '600 requests a minute a key; then 429, to come back in a time that exporters wait',
  ],
  [
    'Rule 9: CORS',
    '../../functions/receiver/otlp.service',
    'a page of any origin may send, without credentials',
  ],
  ['Stored once', '../telemetry/store.database', 'a request that is sent again stores nothing twice'],
  [
    'Stored once, whoever sends at once',
    '../telemetry/store.database',
    '8 senders of the same requests at once, on days that have no partition yet',
  ],
  [
    'Redis away: ingest goes on',
    '../../clients/outage.service',
    'telemetry is taken as ever, beyond what an isolate counts by itself',
  ],
  ['Official exporters', '../../clients/official.service', 'traces, logs and metrics by %s, compression %s'],
  ['pino', '../../clients/pino.service', 'pino logs through pino-opentelemetry-transport by %s'],
  ['Rule 7: hexadecimal ids in either case', 'rows', 'hexadecimal is read in either case, and kept in lower'],
  ['Rule 7: enums are integers', 'rows', 'an enum by its name is refused'],
  [
    'Rule 7: lowerCamelCase, unknown fields ignored',
    'rows',
    'unknown fields are ignored, and so are names in snake case',
  ],
  ['Rule 7: 64-bit integers as string or number', 'rows', 'of 64 bits are read from %s'],
  ['Limit: 16 MiB inflated', 'transport', 'takes 16 MiB, and refuses one byte more'],
  ['Limit: attributes over 128', 'rows', 'those beyond 128 are left out, and counted'],
  [
    'Limit: attributes longer than 4 KiB',
    'rows',
    'one longer than 4 KiB is cut between characters, and counted',
  ],
  ['Invalid ids of spans', 'rows', 'a span with %s is refused, and counted'],
  ['Invalid ids of log records', 'rows', 'a log record with invalid ids is kept without them, and warns'],
  ['Gauge', 'metrics', 'a gauge without a value is refused, unless it says that nothing was recorded'],
  ['Sum, both temporalities', 'metrics', 'a %s sum'],
  ['Histogram', 'metrics', 'a histogram'],
  ['Exponential histogram', 'metrics', 'an exponential histogram'],
  ['Summary', 'metrics', 'a summary'],
  ['Exemplars', 'metrics', 'exemplars'],
  ['Span events and links', 'rows', 'events, links and status'],
  ['Attributes of every kind', 'rows', 'every kind of value has its form'],
  ['Log bodies of any type', 'rows', '%j'],
  [
    'Resources and scopes once a request',
    'rows',
    'equal resources and scopes are kept once, those without rows not at all',
  ],
  [
    'Equal rows of both encodings and of a generated decoder',
    'differential',
    'random valid messages give equal rows by protobuf, by JSON and by the generated decoder',
  ],
  ['Random bytes', 'fuzz', 'random bytes are rows or an error'],
  ['Truncations', 'fuzz', 'a body that ends too early is rows or an error'],
  ['Changed bytes', 'fuzz', 'bytes changed anywhere are rows or an error'],
  ['Wrong wire types', 'wire', 'a known field of another wire type is an unknown one'],
  ['Nested depth', 'rows', 'a value nested too deep is cut there'],
  ['At most 64 MiB, and no hang', 'memory.program', '%s: an answer within 64 MiB and 10 s'],
  [
    'Rows suit one statement',
    'stored.database',
    'rows of random messages are one jsonb parameter of one statement',
  ],
];

test.each(REQUIREMENTS)('%s: is tested', (_, file, name) => {
  const source = readFileSync(new URL(`${file}.test.ts`, import.meta.url), 'utf8');
  // A test that is skipped or not written yet proves nothing.
  expect(source).not.toMatch(/test\.(skip|todo|only)/);
  expect(source).toContain(`'${name}'`);
});
