import { expect, test } from 'vitest';
import { CURRENCIES } from '../../lib/currencies.generated.ts';
import { decimalsOf } from '../../lib/currencies.ts';
import { readCurrencies, renderCurrencies } from '../../scripts/currencies/read-currencies.ts';

const source = { name: 'a', version: '1', date: '2026-01-01', licence: 'MIT', file: 'a.js', sha256: '' };
const entry = (code: string, base: number, exponent: number) =>
  `const ${code} = {\n\tcode: "${code}",\n\tbase: ${base},\n\texponent: ${exponent}\n};\n`;
const many = Array.from({ length: 160 }, (_, n) =>
  entry(`A${String.fromCharCode(65 + (n % 26))}${String.fromCharCode(65 + Math.floor(n / 26))}`, 10, 2),
).join('');

test('the list is read from the package’s text; other minor units than tenths have two decimals', () => {
  const digits = readCurrencies(`${many}${entry('JPY', 10, 0)}${entry('MGA', 5, 1)}`);
  expect([digits.get('JPY'), digits.get('MGA'), digits.get('AAA')]).toEqual([0, 2, 2]);
  const module = renderCurrencies(digits, source);
  expect(module).toContain('From a 1 (2026-01-01), MIT.');
  expect(module).toContain("  0: 'JPY',\n  2: 'AAA ");
  expect(() => readCurrencies(entry('JPY', 10, 0))).toThrow('only 1');
});

test('the generated list is ISO 4217: each code once, with its decimals', () => {
  const codes = Object.values(CURRENCIES).flatMap((line) => line.split(' '));
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
  expect(['EUR', 'JPY', 'KWD', 'CLF', 'ISK', 'XCG', 'ANG', 'DEM', 'XXX'].map(decimalsOf)).toEqual([
    ...[2, 0, 3, 4, 0, 2],
    ...[undefined, undefined, undefined],
  ]);
});
