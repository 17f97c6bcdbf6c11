import { COUNTRIES } from '../../privacy/countries.ts';
import { readText } from './read-cells.ts';
import type { Row } from './read-table.ts';
import { isUnset } from './shown-values.ts';

/** English names of GA4 that differ from Unicode's CLDR. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'Bosnia & Herzegovina': 'BA',
  Congo: 'CG',
  'Congo - Brazzaville': 'CG',
  'Congo - Kinshasa': 'CD',
  "Cote d'Ivoire": 'CI',
  Curacao: 'CW',
  'Czech Republic': 'CZ',
  Eswatini: 'SZ',
  'Hong Kong': 'HK',
  Macao: 'MO',
  Macau: 'MO',
  Macedonia: 'MK',
  'Myanmar (Burma)': 'MM',
  Palestine: 'PS',
  Reunion: 'RE',
  Swaziland: 'SZ',
  Turkey: 'TR',
};

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('’', "'")
    .replace(/\band\b/g, '&')
    .replace(/\bSt\.? /g, 'Saint ')
    .toLowerCase();

const names = new Intl.DisplayNames('en', { type: 'region' });
const codes = new Map<string, string>([
  ...COUNTRIES.map((code) => [plain(names.of(code) ?? code), code] as const),
  ...Object.entries(OTHER_NAMES).map(([name, code]) => [plain(name), code] as const),
]);

/** The code of a country from GA4's English name. */
export function countryNamed(row: Row, column: string): string {
  const text = readText(row, column);
  if (text === '' || isUnset(text)) return 'Unknown';
  const code = codes.get(plain(text));
  if (code === undefined)
    throw row.problem(
      'must be the English name of a country; choose the dimension Country ID instead',
      column,
    );
  return code;
}
