import { expect, test } from 'vitest';
import { TextReader } from '../../../lib/otlp/protobuf/text-reader.ts';
import { Tally } from '../../../lib/otlp/request-tally.ts';

/** Reads the text at two positions of a request. Returns what the second reading decoded anew, and the memory of each reading. */
function readTwice(text: string) {
  const bytes = new TextEncoder().encode(text);
  const body = new Uint8Array([...bytes, ...bytes]);
  const spent: number[] = [];
  class Counting extends Tally {
    override spend(count: number): void {
      spent.push(count);
    }
  }
  const reader = new TextReader(body, new Counting());
  expect(reader.read(0, bytes.length)).toBe(text);
  const { made } = reader;
  expect(reader.read(bytes.length, body.length)).toBe(text);
  return { again: reader.made - made, spent };
}

const HEADER = 24;

test('a text that recurs is decoded once, wherever it stands', () => {
  expect(readTwice('a'.repeat(200))).toEqual({ again: 0, spent: [200 + HEADER] });
});

test('a long text is decoded each time; a character takes a byte of memory, or two if one of them isn’t ASCII', () => {
  expect(readTwice('a'.repeat(300))).toEqual({ again: 1, spent: [300 + HEADER, 300 + HEADER] });
  expect(readTwice('é'.repeat(300))).toEqual({ again: 1, spent: [600 + HEADER, 600 + HEADER] });
});
