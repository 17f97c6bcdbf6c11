/** The language of a view in a chat, which is the chat's, and the sentences of all views. */
import type { Language } from '../../lib/languages.ts';

export type InLanguages<Words> = Readonly<Record<Language, Words>>;

const en = {
  wait: 'Waiting for the answer…',
  cancelled: 'The question was cancelled.',
  unreadable: 'This answer can’t be drawn. The text of the answer has it.',
};
type Sentences = typeof en;

const es: Sentences = {
  wait: 'Esperando la respuesta…',
  cancelled: 'La pregunta se canceló.',
  unreadable: 'Esta respuesta no se puede dibujar. Está en el texto de la respuesta.',
};

const pt: Sentences = {
  wait: 'À espera da resposta…',
  cancelled: 'A pergunta foi cancelada.',
  unreadable: 'Esta resposta não pode ser desenhada. Está no texto da resposta.',
};

export const SENTENCES: InLanguages<Sentences> = { en, es, 'pt-PT': pt };

/** Our language for a locale, and the tag by which numbers and dates are written. Other languages get English. */
export function languageFor(locale: string): { language: Language; tag: string } {
  const primary = locale.split('-')[0]?.toLowerCase();
  const language = primary === 'pt' ? 'pt-PT' : primary === 'es' ? 'es' : 'en';
  try {
    const [tag = language] = Intl.getCanonicalLocales(primary === language.slice(0, 2) ? locale : language);
    return { language, tag };
  } catch {
    return { language, tag: language };
  }
}
