/** What people call the values of a dimension: countries and languages by their names, pages with or without their host. */
import { LANGUAGES } from '../languages.ts';

type Kind = 'region' | 'language';

const KINDS: Readonly<Record<string, Kind>> = { country: 'region', language: 'language' };
const STYLES = ['long', 'short'] as const;
/** A code as `Intl.DisplayNames` takes it. */
const CODES: Readonly<Record<Kind, RegExp>> = {
  region: /^[A-Z]{2}$/,
  language: /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
};

const names = new Map<Kind, readonly Intl.DisplayNames[]>();

function namesOf(kind: Kind): readonly Intl.DisplayNames[] {
  const known =
    names.get(kind) ??
    LANGUAGES.flatMap((language) =>
      STYLES.map((style) => new Intl.DisplayNames(language, { type: kind, style, fallback: 'none' })),
    );
  names.set(kind, known);
  return known;
}

/** A path as people write it: with the site's address before it, or without a slash at its beginning or end. */
function pathOf(text: string): string {
  const path = text.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  return `/${path.replace(/^\/+|\/+$/g, '')}`;
}

const PAGES = new Set(['page', 'entry_page', 'exit_page']);

/** The text that a value of the dimension is compared by. */
export const plainValue = (dimension: string, text: string): string =>
  PAGES.has(dimension) ? pathOf(text) : text;

/** The value, and its names in the languages of the service if it is a code of a country or a language. */
export function labelsOf(dimension: string, value: string): string[] {
  const kind = KINDS[dimension];
  if (kind === undefined || !CODES[kind].test(value)) return [plainValue(dimension, value)];
  return [value, ...namesOf(kind).flatMap((of) => of.of(value) ?? [])];
}
