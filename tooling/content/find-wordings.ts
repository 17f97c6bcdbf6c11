/** What has one spelling in a language: thousands, and the names of `names.yaml` (content/README.md). */
import type { Language } from '../../lib/languages.ts';

export interface Wording {
  index: number;
  rule: string;
}

/** A name as it is written, and what is written instead by mistake. */
export interface NameRule {
  name: string;
  not: readonly string[];
}

interface Thousands {
  separator: string;
  /** Numbers with fewer digits have no separator. */
  fromDigits: number;
  example: string;
}

/** As `Intl.NumberFormat` writes them, except that Spanish prices of four digits have their point too. */
const THOUSANDS: Record<Language, Thousands> = {
  en: { separator: ',', fromDigits: 4, example: '1,250 and 12,500' },
  es: { separator: '.', fromDigits: 4, example: '1.250 and 12.500' },
  'pt-PT': { separator: '\u00a0', fromDigits: 5, example: '1250 and 12 500, with a no-break space' },
};

/** Digits in groups of three. Not: phone numbers, versions, names of standards such as `EN 301 549`. */
const GROUPED =
  /(?<![\w.,+/-]|\d[ \u00a0]|\p{Lu}{2}[ \u00a0])[1-9]\d{0,2}(?:(?<separator>[.,'’ \u00a0\u202f])\d{3})(?:\k<separator>\d{3})*(?![\w/-]|\k<separator>\d|[ \u00a0]\d)/gu;
/** Five or more digits in a row. Not: postal codes, which stand before the name of a town. */
const RUNNING = /(?<![\w.,+/#-]|\p{Lu}{2}[ \u00a0])[1-9]\d{4,}(?![\w/-]|[.,]\d| \p{Lu})/gu;

/** Everything in words of a text that its language writes otherwise. */
export function findWordings(words: string, language: Language, names: readonly NameRule[]): Wording[] {
  const { separator, fromDigits, example } = THOUSANDS[language];
  const rule = `must write thousands as in ${example}`;
  const grouped = [...words.matchAll(GROUPED)].filter(
    ({ 0: number, groups }) =>
      groups?.separator !== separator || number.replaceAll(/\D/g, '').length < fromDigits,
  );
  const numbers = [...grouped, ...words.matchAll(RUNNING)].map(({ index }) => ({ index, rule }));
  const wrong = names.flatMap(({ name, not }) =>
    not.flatMap((other) => {
      const index = words.toLowerCase().indexOf(other.toLowerCase());
      return index === -1 ? [] : [{ index, rule: `says “${other}”; here it is “${name}”` }];
    }),
  );
  return [...numbers, ...wrong];
}
