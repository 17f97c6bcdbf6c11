import type { Language } from '../../../lib/languages.ts';

const languageOf = (tag: string): string => tag.split('-')[0] ?? tag;

/** With a region, and well-formed: some browsers say `en-US@posix`, which `Intl` refuses. */
const REGIONAL = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})+$/i;

/** How dates and numbers are written: as the browser's own region does it, if the page is in a language of the browser. `own`: its languages. */
export const localeFor = (language: Language, own: readonly string[]): string =>
  own.find((tag) => REGIONAL.test(tag) && languageOf(tag) === languageOf(language)) ?? language;
