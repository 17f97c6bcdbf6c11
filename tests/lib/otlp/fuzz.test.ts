import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../lib/errors.ts';
import { decodeLogs, decodeMetrics, decodeTraces, type OtlpType } from '../../../lib/otlp/index.ts';
import { ORACLE_RUNS } from '../../oracle-runs.ts';
import { encode, REQUESTS } from './generated-messages.ts';
import { toOtlpJson, toOtlpObject } from './json-form.ts';
import { REQUEST_ARBITRARIES } from './random-messages.ts';

const timeout = 30_000 + 200 * ORACLE_RUNS;
const DECODE = { traces: decodeTraces, logs: decodeLogs, metrics: decodeMetrics };
const STYLE = { upperCaseIds: false, numbersWhereExact: false, unknownFields: false, nulls: false };

/** Expects rows that can be stored, or an error of the sender. Returns whether there were rows. */
function outcome(signal: keyof typeof DECODE, body: Uint8Array, type: OtlpType): boolean {
  try {
    const batch = DECODE[signal](body, type);
    const text = JSON.stringify(batch);
    expect(text).not.toMatch(/(?<!\\)(\\\\)*\\u(0000|d[89a-f])/);
    for (const row of 'spans' in batch ? batch.spans : []) {
      expect(row.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      expect(row.spanId).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
      expect(row.startNano).toMatch(/^(0|[1-9]\d{0,18})$/);
      expect(Number.isSafeInteger(row.durationNano) && row.durationNano >= 0).toBe(true);
      expect(batch.resources[row.resource]).toBeDefined();
      expect(batch.scopes[row.scope]).toBeDefined();
    }
    return true;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE']).toContain(error.code);
    return false;
  }
}

describe.each(['traces', 'logs', 'metrics'] as const)('%s', (signal) => {
  const messages = REQUEST_ARBITRARIES[signal] as fc.Arbitrary<object>;
  const position = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

  test('random bytes are rows or an error', { timeout }, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        outcome(signal, bytes, 'protobuf');
        outcome(signal, bytes, 'json');
      }),
      { numRuns: ORACLE_RUNS * 5 },
    );
  });

  test('a body that ends too early is rows or an error', { timeout }, () => {
    let refused = 0;
    fc.assert(
      fc.property(messages, fc.array(position, { minLength: 5, maxLength: 5 }), (message, ends) => {
        const bytes = encode(REQUESTS[signal], message);
        const json = new TextEncoder().encode(toOtlpJson(message, STYLE));
        for (const end of ends) {
          if (!outcome(signal, bytes.subarray(0, end * bytes.length), 'protobuf')) refused += 1;
          expect(outcome(signal, json.subarray(0, end * json.length), 'json')).toBe(false);
        }
      }),
      { numRuns: ORACLE_RUNS },
    );
    expect(refused).toBeGreaterThan(0);
  });

  test('bytes changed anywhere are rows or an error', { timeout }, () => {
    const changes = fc.array(fc.tuple(position, fc.nat(255)), { minLength: 1, maxLength: 8 });
    let [taken, refused] = [0, 0];
    fc.assert(
      fc.property(messages, perMessage(changes), (message, tries) => {
        const bytes = encode(REQUESTS[signal], message);
        const json = new TextEncoder().encode(toOtlpJson(message, STYLE));
        for (const edits of tries) {
          if (outcome(signal, edited(bytes, edits), 'protobuf')) taken += 1;
          else refused += 1;
          outcome(signal, edited(json, edits), 'json');
        }
      }),
      { numRuns: ORACLE_RUNS },
    );
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });

  test('a member of another type is rows or an error', { timeout }, () => {
    let [taken, refused] = [0, 0];
    fc.assert(
      fc.property(messages, perMessage(fc.tuple(fc.nat(), fc.jsonValue())), (message, tries) => {
        const whole = toOtlpObject(message, STYLE);
        for (const [chosen, value] of tries) {
          const json = withMember(whole, chosen, value);
          if (outcome(signal, new TextEncoder().encode(json), 'json')) taken += 1;
          else refused += 1;
        }
      }),
      { numRuns: ORACLE_RUNS },
    );
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });
});

/** Making a message takes longer than decoding it, so each is spoiled in three ways. */
const perMessage = <Spoiled>(spoiled: fc.Arbitrary<Spoiled>) =>
  fc.array(spoiled, { minLength: 3, maxLength: 3 });

/** A copy with bytes replaced, each at its share of the length. */
function edited(body: Uint8Array, edits: readonly [at: number, byte: number][]): Uint8Array {
  const copy = body.slice();
  for (const [at, byte] of edits) copy[Math.floor(at * copy.length)] = byte;
  return copy;
}

type Members = Record<string, unknown>;

/** The JSON text of a message with one value replaced, at any depth. The message itself stays as it is. */
function withMember(message: unknown, chosen: number, value: unknown): string {
  const root: Members = { '': message };
  let left = chosen % countMembers(root);
  let text = '';
  const replace = (holder: Members): boolean =>
    Object.keys(holder).some((key) => {
      const inner = holder[key];
      if (inner === undefined) return false;
      if (left === 0) {
        holder[key] = value;
        text = JSON.stringify(root['']);
        holder[key] = inner;
        return true;
      }
      left -= 1;
      return typeof inner === 'object' && inner !== null && replace(inner as Members);
    });
  replace(root);
  return text;
}

/** How many values there are in all: of members of objects and of lists. */
function countMembers(holder: Members): number {
  let count = 0;
  for (const key of Object.keys(holder)) {
    const inner = holder[key];
    if (inner === undefined) continue;
    count += 1;
    if (typeof inner === 'object' && inner !== null) count += countMembers(inner as Members);
  }
  return count;
}
