/** Rules for single fields (see content/README.md). */
import * as v from 'valibot';
import type { Language } from '../../lib/languages.ts';

export const SLUG = /^[\p{Ll}\p{N}]+(-[\p{Ll}\p{N}]+)*$/u;
export const MAX_SLUG_CHARACTERS = 80;

const MAX_PATH_CHARACTERS = 200;
const PATH = /^(\/[\p{Ll}\p{N}]+(-[\p{Ll}\p{N}]+)*)+$/u;
/** The prefix of paths in a language; other paths are English. */
const PATH_STARTS = { es: '/es/', 'pt-PT': '/pt/' } as const;

const CONTROL = /(?![\n\t])\p{Cc}/u;

export interface TextFault {
  rule: string;
  index: number;
}

/** The first position where a text isn't well-formed, has a control character or isn't in NFC. */
export function findTextFault(text: string): TextFault | undefined {
  if (!text.isWellFormed()) {
    return { rule: 'must be well-formed Unicode', index: text.search(/\p{Surrogate}/u) };
  }
  const control = CONTROL.exec(text);
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return { rule: `must not hold control characters (U+${code})`, index: control.index };
  }
  const composed = text.normalize('NFC');
  if (composed === text) return undefined;
  let index = 0;
  while (text[index] === composed[index]) index += 1;
  return { rule: 'must be in NFC: letters with their accents as one character', index };
}

const sound = v.rawCheck<string>(({ dataset, addIssue }) => {
  const fault = dataset.typed ? findTextFault(dataset.value) : undefined;
  if (fault !== undefined) addIssue({ message: fault.rule });
});

/** A text of one line: plain, or Markdown without blocks. */
export const line = (max: number, min = 1) =>
  v.pipe(
    v.string(),
    v.trim(),
    sound,
    v.check((text) => !/[\n\t]/.test(text), 'must be one line without tabs'),
    v.minLength(min),
    v.maxLength(max),
  );

/** Markdown of one or more paragraphs. */
export const markdown = (max: number) =>
  v.pipe(v.string(), v.trim(), sound, v.minLength(1), v.maxLength(max));

/** A date of the calendar, such as `2026-09-14`. */
export const day = v.pipe(v.string(), v.check(isDay, 'must be a day such as 2026-09-14'));

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}

/** The path of a page of the website in a language. */
export function path(language: Language) {
  const start = language === 'en' ? undefined : PATH_STARTS[language];
  return v.pipe(
    v.string(),
    v.maxLength(MAX_PATH_CHARACTERS),
    v.regex(PATH, 'must be a path of lower-case letters, digits and hyphens such as /guides/fonts'),
    v.check(
      (text) =>
        start === undefined
          ? !Object.values(PATH_STARTS).some((other) => text.startsWith(other))
          : text.startsWith(start),
      start === undefined ? 'must not begin with another language' : `must begin with ${start}`,
    ),
  );
}
