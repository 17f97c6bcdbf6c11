/** The kinds of hostile requests. SECURITY.md lists them. */
import type fc from 'fast-check';
import type { Attacker, Attempt } from './attempt.ts';
import { hostileBodies } from './kinds/bodies.ts';
import { hostileCredentials } from './kinds/credentials.ts';
import { hostileCursors } from './kinds/cursors.ts';
import { hostileHeaders } from './kinds/headers.ts';
import { hostileMcp } from './kinds/mcp.ts';
import { othersThings } from './kinds/others.ts';
import { hostileOtlp } from './kinds/otlp.ts';
import { hostilePaths } from './kinds/paths.ts';
import { hostileQueries } from './kinds/queries.ts';
import { severalTokens, unlockAgain, worstQuestions } from './kinds/questions.ts';
import { hostileProperties, hostileTracking } from './kinds/tracking.ts';

export interface Kind {
  name: string;
  /** A description for the report and for SECURITY.md. */
  what: string;
  /** The share of the requests, relative to the other kinds. */
  weight: number;
  attempts: (attacker: Attacker) => fc.Arbitrary<Attempt>;
}

export const KINDS: readonly Kind[] = [
  {
    name: 'bodies',
    what: 'bodies that are no JSON, nest deep or aren’t UTF-8, and documented bodies with a hostile field',
    weight: 5,
    attempts: hostileBodies,
  },
  {
    name: 'queries',
    what: 'parameters with hostile, huge, repeated, unknown or badly encoded values',
    weight: 4,
    attempts: hostileQueries,
  },
  {
    name: 'paths',
    what: 'ids that are none, dot segments, encoded slashes, wrong methods, paths that lead nowhere',
    weight: 2,
    attempts: hostilePaths,
  },
  {
    name: 'headers',
    what: 'documented requests with hostile headers: types, encodings, origins, conditions, languages, lengths',
    weight: 4,
    attempts: hostileHeaders,
  },
  {
    name: 'cursors',
    what: 'cursors that are changed, cut, made up, or somebody else’s',
    weight: 2,
    attempts: hostileCursors,
  },
  {
    name: 'credentials',
    what: 'tokens, keys and cookies that are changed, made up, of another kind, repeated or huge',
    weight: 3,
    attempts: hostileCredentials,
  },
  {
    name: 'others',
    what: 'a valid account asks for what belongs to somebody else',
    weight: 3,
    attempts: othersThings,
  },
  {
    name: 'tracking',
    what: 'page views and events of the documented form with hostile addresses, names and properties',
    weight: 4,
    attempts: hostileTracking,
  },
  {
    name: 'properties',
    what: 'page views and events with properties at the limits of names, values, number and size',
    weight: 2,
    attempts: hostileProperties,
  },
  {
    name: 'unlocking',
    what: 'a share that one address unlocks again and again',
    weight: 0.3,
    attempts: unlockAgain,
  },
  {
    name: 'tokens',
    what: 'questions of one person by several query tokens, a key and a session, several at once',
    weight: 1,
    attempts: severalTokens,
  },
  {
    name: 'worst',
    what: 'the largest batches of reports with filters, several at once, given up before the answer',
    weight: 1,
    attempts: worstQuestions,
  },
  {
    name: 'otlp',
    what: 'OTLP with changed bytes, early ends, hostile fields, wrong encodings and gzip that inflates without end',
    weight: 3,
    attempts: hostileOtlp,
  },
  {
    name: 'mcp',
    what: 'JSON-RPC of no version, of wrong shapes, methods, names, cursors and headers',
    weight: 2,
    attempts: hostileMcp,
  },
];
