import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { encode, REQUESTS } from '../../lib/otlp/generated-messages.ts';
import { toOtlpJson } from '../../lib/otlp/json-form.ts';
import { REQUEST_ARBITRARIES } from '../../lib/otlp/random-messages.ts';
import { garbage } from '../../security/hostile-values.ts';
import type { Attacker, Attempt } from '../attempt.ts';
import { OTLP } from '../targets.ts';

const STYLE = { upperCaseIds: false, numbersWhereExact: false, unknownFields: true, nulls: true };
const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';
/** 64 MiB of zeros, compressed to 64 KiB. */
const BOMB = new Uint8Array(gzipSync(new Uint8Array(64 * 1024 * 1024)));

const signalOf = (path: string): keyof typeof REQUESTS =>
  path.endsWith('logs') ? 'logs' : path.endsWith('metrics') ? 'metrics' : 'traces';

type Bytes = Uint8Array<ArrayBuffer>;
const position = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

const spoil = (bytes: Bytes, edits: readonly (readonly [number, number])[], end: number): Bytes => {
  const copy = new Uint8Array(bytes);
  for (const [at, byte] of edits) copy[Math.floor(at * copy.length)] = byte;
  return copy.subarray(0, Math.ceil(end * copy.length));
};

const end = fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: position });
const edits = fc.array(fc.tuple(position, fc.nat(255)), { maxLength: 6 });

export const hostileOtlp = ({ own }: Attacker): fc.Arbitrary<Attempt> =>
  fc.constantFrom(...OTLP).chain((target) => {
    const signal = signalOf(target.route.path);
    const message = REQUEST_ARBITRARIES[signal] as fc.Arbitrary<object>;
    const protobuf = fc
      .tuple(message, edits, end)
      .map(([made, ...how]): [Bytes | string, string] => [
        spoil(encode(REQUESTS[signal], made) as Bytes, ...how),
        PROTOBUF,
      ]);
    const json = fc
      .tuple(message, edits, end)
      .map(([made, ...how]): [Bytes | string, string] => [
        spoil(new TextEncoder().encode(toOtlpJson(made, STYLE)), ...how),
        JSON_TYPE,
      ]);
    const anything = fc.tuple(garbage, fc.constantFrom(PROTOBUF, JSON_TYPE, 'text/plain'));
    const encoding = fc.constantFrom('', '', '', 'gzip', 'packed', 'cut', 'bomb', 'br');
    return fc.tuple(fc.oneof(protobuf, json, anything), encoding).map(([[bytes, type], how]) => {
      const packed = how === 'packed' || how === 'cut' ? new Uint8Array(gzipSync(bytes)) : undefined;
      const body = how === 'bomb' ? BOMB : how === 'cut' ? packed?.subarray(0, -9) : (packed ?? bytes);
      const said = how === 'br' ? 'br' : how === '' ? undefined : 'gzip';
      const headers = {
        Authorization: `Bearer ${own.ingestKey}`,
        'Content-Type': type,
        ...(said && { 'Content-Encoding': said }),
      };
      return { ...target, path: target.route.path, init: { method: 'POST', headers, body: body ?? bytes } };
    });
  });
