import { findLanguage, type Language } from '../../../lib/languages.ts';
import type { Words } from './en/index.ts';
import { localeFor } from './locale.ts';

export type { Words } from './en/index.ts';

/** The words of the page's language. Set before anything is drawn. */
export let words: Words;
/** The page's language, as `Intl` takes it. */
export let language: Language;
/** How dates and numbers are written in it, as `Intl` takes it. */
export let locale: string;

const LOAD: Record<Language, () => Promise<{ words: Words }>> = {
  en: () => import('./en/index.ts'),
  es: () => import('./es/index.ts'),
  'pt-PT': () => import('./pt/index.ts'),
};

/** Loads the words of a language tag, as the page's `lang` has it. */
export async function loadWords(tag: string): Promise<void> {
  language = findLanguage(tag) ?? 'en';
  locale = localeFor(language, navigator.languages);
  ({ words } = await LOAD[language]());
}
