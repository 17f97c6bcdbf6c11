import type { Language } from '../../../lib/languages.ts';
import type { Words } from '../../../web/account/page-words.ts';
import { en } from './words/en.ts';
import { es } from './words/es.ts';
import { pt } from './words/pt.ts';

export const WORDS: Record<Language, Words> = { en, es, 'pt-PT': pt };
