import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeLogs,
  decodeMetrics,
  decodeTraces,
  type OtlpType,
  type Signal,
} from '../../../lib/otlp/index.ts';
import { ORACLE_RUNS } from '../../oracle-runs.ts';
import { type Expected, expectRows } from './expected-rows.ts';
import { decode, encode, REQUESTS } from './generated-messages.ts';
import { toOtlpJson } from './json-form.ts';
import { REQUEST_ARBITRARIES } from './random-messages.ts';

const style = fc.record({
  upperCaseIds: fc.boolean(),
  numbersWhereExact: fc.boolean(),
  unknownFields: fc.boolean(),
  nulls: fc.boolean(),
});

interface Found extends Expected {
  message: string | undefined;
}

function read(signal: Signal, body: Uint8Array, type: OtlpType): Found {
  const batch =
    signal === 'traces'
      ? decodeTraces(body, type)
      : signal === 'logs'
        ? decodeLogs(body, type)
        : decodeMetrics(body, type);
  const { resources, scopes, partial } = batch;
  const rows = 'spans' in batch ? batch.spans : 'logs' in batch ? batch.logs : batch.points;
  const metrics = 'metrics' in batch ? batch.metrics : [];
  return { resources, scopes, metrics, rows, rejected: partial?.rejected ?? 0, message: partial?.message };
}

/** The value as text with sorted keys, including a key `__proto__`. */
const canonical = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, inner) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))
        : inner,
    1,
  );

describe.each(['traces', 'logs', 'metrics'] as const)('%s', (signal) => {
  test('random valid messages give equal rows by protobuf, by JSON and by the generated decoder', {
    timeout: 30_000 + 200 * ORACLE_RUNS,
  }, () => {
    let rows = 0;
    fc.assert(
      fc.property(REQUEST_ARBITRARIES[signal] as fc.Arbitrary<object>, style, (message, choices) => {
        const bytes = encode(REQUESTS[signal], message);
        const expected = expectRows(signal, decode(REQUESTS[signal], bytes));
        const { message: protobufMessage, ...fromProtobuf } = read(signal, bytes, 'protobuf');
        const json = new TextEncoder().encode(toOtlpJson(message, choices));
        const { message: jsonMessage, ...fromJson } = read(signal, json, 'json');
        expect(canonical(fromProtobuf)).toBe(canonical(expected));
        expect(canonical(fromJson)).toBe(canonical(expected));
        expect(jsonMessage).toBe(protobufMessage);
        rows += expected.rows.length;
      }),
      { numRuns: ORACLE_RUNS },
    );
    // Most messages have rows.
    expect(rows).toBeGreaterThan(ORACLE_RUNS / 4);
  });
});
