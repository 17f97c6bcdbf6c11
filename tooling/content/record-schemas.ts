/** Schemas of the files of `content/`. Every text and list is bounded; unknown fields are refused. */
import * as v from 'valibot';
import { CONTENT_TYPES } from '../../lib/content/catalogue.ts';
import { wordsOf } from '../../lib/content/folded-words.ts';
import { stemsOf } from '../../lib/content/synonyms.ts';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import { day, line, markdown, path } from './text-rules.ts';

const MAX_ITEMS = 40;
const MAX_ORDER = 9999;
const MAX_GROUPS = 300;

const list = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(MAX_ITEMS));
const lines = list(line(500));
const keywords = v.pipe(v.array(line(60, 2)), v.minLength(2), v.maxLength(20));
const questions = list(v.strictObject({ question: line(200), answer: markdown(4000) }));
const order = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_ORDER));

const page = (language: Language) => ({
  title: line(150),
  description: line(300),
  path: path(language),
});

const publication = {
  updated: v.optional(day),
  public: v.optional(v.boolean(), true),
};

/** The same fields in each language; at least one language is required. */
const languages = <Text extends v.GenericSchema>(textIn: (language: Language) => Text) =>
  v.pipe(
    v.strictObject(
      {
        en: v.optional(textIn('en')),
        es: v.optional(textIn('es')),
        'pt-PT': v.optional(textIn('pt-PT')),
      },
      ({ expected }) =>
        expected === 'never' ? `is not a language here: ${LANGUAGES.join(', ')}` : 'must be an object',
    ),
    v.check((texts) => Object.keys(texts).length > 0, 'must have at least one language'),
  );

const structuredPage = (language: Language) => ({ ...page(language), keywords, summary: markdown(10_000) });

const ServiceText = (language: Language) =>
  v.strictObject({
    ...structuredPage(language),
    includes: lines,
    excludes: v.optional(lines),
    process: list(v.strictObject({ step: line(150), detail: markdown(2000) })),
    timeline: line(300),
    price: line(500),
    questions,
  });
export type ServiceText = v.InferOutput<ReturnType<typeof ServiceText>>;

const ProductText = (language: Language) =>
  v.strictObject({
    ...structuredPage(language),
    features: lines,
    requirements: lines,
    price: line(500),
    support: line(500),
    questions,
  });
export type ProductText = v.InferOutput<ReturnType<typeof ProductText>>;

const FactsText = (language: Language) =>
  v.strictObject({
    ...structuredPage(language),
    sections: list(
      v.strictObject({
        title: line(150),
        facts: list(v.strictObject({ name: line(100), value: line(1000) })),
      }),
    ),
    questions,
  });
export type FactsText = v.InferOutput<ReturnType<typeof FactsText>>;

export const ServiceFile = v.strictObject({ order, ...publication, languages: languages(ServiceText) });
export const ProductFile = v.strictObject({ order, ...publication, languages: languages(ProductText) });
export const FactsFile = v.pipe(
  v.strictObject({ updated: publication.updated, languages: languages(FactsText) }),
  v.transform((file) => ({ ...file, order: 1, public: true })),
);

const caseFields = {
  order,
  keywords,
  client: line(150),
  sector: line(150),
  year: v.pipe(v.number(), v.integer(), v.minValue(1990), v.maxValue(2100)),
  result: line(500),
};
const CaseStudy = (language: Language) =>
  v.strictObject({ ...page(language), ...publication, ...caseFields });
export type CaseStudy = v.InferOutput<ReturnType<typeof CaseStudy>>;

const Guide = (language: Language) => v.strictObject({ ...page(language), ...publication });

const inLanguages = <Schema>(schemaIn: (language: Language) => Schema): Record<Language, Schema> => ({
  en: schemaIn('en'),
  es: schemaIn('es'),
  'pt-PT': schemaIn('pt-PT'),
});
export const CaseStudyFront = inLanguages(CaseStudy);
export const GuideFront = inLanguages(Guide);

/** A phrase stands once, whatever its forms: a search takes `translate` and `translations` for one. */
const phrases = (min: number, language: Language) =>
  v.pipe(
    v.array(
      v.pipe(
        line(60),
        v.check((phrase) => wordsOf(phrase).length > 0, 'must have letters or digits'),
      ),
    ),
    v.minLength(min),
    v.maxLength(MAX_ITEMS),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const seen = new Set<string>();
      for (const [at, phrase] of dataset.value.entries()) {
        const key = stemsOf(phrase, language).join(' ');
        if (seen.has(key))
          addIssue({
            message: 'stands here a second time',
            path: [{ type: 'array', origin: 'value', input: dataset.value, key: at, value: phrase }],
          });
        seen.add(key);
      }
    }),
  );
/** The synonyms of a language. */
const SynonymsIn = (language: Language) =>
  v.strictObject({
    kinds: v.optional(v.strictObject(v.entriesFromList(CONTENT_TYPES, v.optional(phrases(1, language)))), {}),
    asks: v.optional(
      v.pipe(
        v.array(
          v.strictObject({
            types: v.pipe(
              v.array(v.picklist(CONTENT_TYPES)),
              v.minLength(1),
              v.maxLength(CONTENT_TYPES.length),
            ),
            phrases: phrases(1, language),
          }),
        ),
        v.maxLength(MAX_ITEMS),
      ),
      [],
    ),
    common: v.optional(phrases(0, language), []),
    groups: v.pipe(v.array(phrases(2, language)), v.maxLength(MAX_GROUPS)),
  });
export const SynonymsFile = inLanguages(SynonymsIn);

/** Names that are written one way. */
export const NamesFile = v.strictObject({
  names: v.pipe(
    v.array(
      v.strictObject({
        name: line(100),
        not: v.pipe(v.array(line(100, 2)), v.minLength(1), v.maxLength(MAX_ITEMS)),
      }),
    ),
    v.maxLength(MAX_GROUPS),
  ),
});

export const Publisher = v.strictObject({
  name: line(100),
  website: v.pipe(
    line(200),
    v.regex(
      /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)+$/,
      'must be an https address without a path or a last slash',
    ),
  ),
});
