/**
 * The way out for requests to addresses that users chose, where the platform doesn't keep private networks apart: it looks the name up,
 * checks every address that it resolves to, and connects to these addresses alone, whatever the name resolves to a moment later.
 */
import { lookup as systemLookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import {
  ANSWER_MS,
  type Answer,
  consents,
  MAX_ANSWER_BYTES,
  noAnswer,
  type OutgoingRequest,
  storable,
} from '../lib/messages/post-out.ts';
import { type Loopback, mayReach, refusalOfUrl } from '../lib/messages/receiver-address.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface EgressOptions {
  loopback: Loopback;
  resolve?: Resolve;
  timeoutMs?: number;
}

class Refused extends Error {}

const NOT_PUBLIC = 'The address leads into a network that isn’t public.';

/** Makes a request, follows no redirect, and reads the beginning of the answer. Never throws. */
export function openEgress({
  loopback,
  resolve = resolveBySystem,
  timeoutMs = ANSWER_MS,
}: EgressOptions): (request: OutgoingRequest) => Promise<Answer> {
  const lookup = checkedLookup(loopback, resolve);
  return async ({ url, headers, body }) => {
    const refusal = refusalOfUrl(url, loopback);
    if (refusal !== undefined) return noAnswer(`The address ${refusal}.`);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const incoming = await begin(new URL(url), { headers, body, lookup, signal });
      return {
        status: incoming.statusCode ?? null,
        body: await firstBytes(incoming),
        fault: null,
        allowsMore: consents(
          one(incoming.headers['webhook-allowed-origin']),
          headers['WebHook-Request-Origin'] ?? '',
        ),
      };
    } catch (error) {
      if (error instanceof Refused) return noAnswer(error.message);
      return noAnswer(signal.aborted ? 'There was no answer in 10 seconds.' : 'There was no connection.');
    }
  };
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

interface Connection {
  headers: Record<string, string>;
  body: string;
  lookup: LookupFunction;
  signal: AbortSignal;
}

/** A connection of its own for each request: none that an earlier look-up allowed is used again. */
function begin(url: URL, { headers, body, lookup, signal }: Connection): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((done, fail) => {
    const outgoing = request(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' },
      agent: false,
      lookup,
      signal,
    });
    outgoing.once('response', done);
    outgoing.once('error', fail);
    outgoing.end(body);
  });
}

/** What `net.connect` asks. One address that isn't public is enough to refuse the name. */
function checkedLookup(loopback: Loopback, resolve: Resolve): LookupFunction {
  return (hostname, options, answer) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => mayReach(address, loopback)))
          return answer(new Refused(NOT_PUBLIC), '', 0);
        if (options.all) answer(null, [...addresses]);
        else answer(null, first.address, first.family);
      },
      (error) => answer(error, '', 0),
    );
  };
}

const resolveBySystem: Resolve = (hostname) =>
  new Promise((done, fail) =>
    systemLookup(hostname, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses))),
  );

async function firstBytes(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length >= MAX_ANSWER_BYTES) break;
  }
  incoming.destroy();
  return storable(Buffer.concat(parts).subarray(0, MAX_ANSWER_BYTES));
}
