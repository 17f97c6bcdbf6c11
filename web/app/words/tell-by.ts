/** Sentences of `lib/` that are made in English (lib/imports/readers/, lib/telemetry/metrics/) in another language: patterns of the whole sentence, and what replaces it. */
export type Sentences = readonly (readonly [RegExp, string])[];

/** Says a sentence by the first pattern that fits it. One that none fits stays as it is. */
export const tellBy =
  (sentences: Sentences) =>
  (sentence: string): string => {
    const known = sentences.find(([pattern]) => pattern.test(sentence));
    return known === undefined ? sentence : sentence.replace(known[0], known[1]);
  };
