/** Measures decoding of export requests: OTLP in protobuf to rows, beside `JSON.parse` of the same request in JSON. */
import { decodeTraces } from '../lib/otlp/index.ts';
import type { Benchmark } from './benchmark.ts';
import { median } from './median.ts';
import { buildRequest, encodeRequest, generated } from './otlp/trace-request.ts';
import { perSecond, printTable, times, whole } from './print-table.ts';

const DEFAULT_SECONDS = 4;
/** Warm-up runs, so that the code is compiled before it is measured. */
const WARM_UPS = 50;

export const otlp: Benchmark = {
  name: 'otlp',
  summary: 'decoding spans of 12 attributes to rows, against JSON.parse',
  calculates: true,
  async run({ seconds = DEFAULT_SECONDS }) {
    const request = buildRequest();
    const protobuf = encodeRequest(request);
    const json = new TextEncoder().encode(JSON.stringify(request));
    const bare = new TextEncoder().encode(withBareNumbers(JSON.stringify(request)));
    const text = new TextDecoder();
    const { spans } = decodeTraces(protobuf, 'protobuf');

    const targets = {
      rows: () => decodeTraces(protobuf, 'protobuf').spans.length,
      text: () => JSON.stringify(decodeTraces(protobuf, 'protobuf')).length,
      jsonRows: () => decodeTraces(json, 'json').spans.length,
      bareRows: () => decodeTraces(bare, 'json').spans.length,
      generated: () => generated.decode(protobuf),
      parse: () => JSON.parse(text.decode(json)),
    };
    const rates = measure(targets, spans.length, seconds * 1000);
    const against = (what: string, rate: number, aim = '') => ({
      what,
      figure: perSecond(rate),
      baseline: `JSON.parse of the bytes ${perSecond(rates.parse)}`,
      ratio: times(rate / rates.parse, 2),
      aim,
    });
    printTable(
      `Decoding ${spans.length} spans of 12 attributes (${whole(protobuf.length)} bytes of protobuf, ${whole(json.length)} of JSON)`,
      [
        against('protobuf to rows', rates.rows, 'at least 1.5x'),
        against('protobuf to rows, as the text of one SQL parameter', rates.text),
        against('JSON to rows', rates.jsonRows),
        against('JSON to rows, 64-bit numbers without quotes', rates.bareRows),
        against('protobuf by a generated decoder, no rows', rates.generated),
      ],
    );
  },
};

/** The same request from a sender that writes 64-bit integers as numbers. */
const withBareNumbers = (json: string): string =>
  json.replaceAll(/"(\w+UnixNano|intValue)":"(\d+)"/g, '"$1":$2');

/** Median spans per second of each. They take turns, so that other load affects all of them. */
function measure<Name extends string>(
  targets: Record<Name, () => unknown>,
  spans: number,
  milliseconds: number,
): Record<Name, number> {
  const names = Object.keys(targets) as Name[];
  const turns = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let at = 0; at < WARM_UPS; at += 1) for (const name of names) targets[name]();
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    for (const name of names) {
      const started = performance.now();
      targets[name]();
      turns[name].push((spans * 1000) / (performance.now() - started));
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(turns[name])])) as Record<Name, number>;
}
