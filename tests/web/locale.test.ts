/** Dates and numbers are those of the browser's region, in the language of the page. */
import { expect, test } from 'vitest';
import type { Language } from '../../lib/languages.ts';
import { localeFor } from '../../web/app/words/locale.ts';

test.each<[Language, string[], string]>([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['pt-BR', 'en-AU'], 'en-AU'],
  ['pt-PT', ['pt-BR', 'pt'], 'pt-BR'],
  ['pt-PT', ['pt'], 'pt-PT'],
  ['es', ['en-GB'], 'es'],
  ['en', ['en-US@posix'], 'en'],
  ['en', [], 'en'],
])('a page in %s for a browser in %j', (language, own, locale) => {
  expect(localeFor(language, own)).toBe(locale);
});
