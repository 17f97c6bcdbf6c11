import { expectTypeOf, test } from 'vitest';
import { chooseLanguage, isLanguage, type LANGUAGES, type Language } from '../../lib/languages.ts';

test('there is one list of languages', () => {
  expectTypeOf<Language>().toEqualTypeOf<(typeof LANGUAGES)[number]>();
  expectTypeOf(chooseLanguage).toEqualTypeOf<(header: string | undefined) => Language>();
  expectTypeOf(isLanguage).guards.toEqualTypeOf<Language>();
});
