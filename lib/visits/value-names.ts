/** What people call the values of a dimension: countries and languages by their names, devices, sources by their hosts, pages with or without their host. */
import { sourceOfLabel } from '../collection/known-sources.ts';
import { LANGUAGES } from '../languages.ts';

type Kind = 'region' | 'language';

const KINDS: Readonly<Record<string, Kind>> = { country: 'region', language: 'language' };
const STYLES = ['long', 'short'] as const;
/** A code as `Intl.DisplayNames` takes it. */
const CODES: Readonly<Record<Kind, RegExp>> = {
  region: /^[A-Z]{2}$/,
  language: /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
};

/** Languages of names: those of the service, and others that many people in Europe write. */
const SPOKEN = [...LANGUAGES, 'de', 'fr', 'it'];

/** Names that no list of languages has. */
const ABBREVIATIONS: Readonly<Record<string, readonly string[]>> = {
  US: ['USA', 'U.S.A.', 'United States of America', 'the States', 'EEUU', 'EE.UU.', 'EUA', 'America'],
  GB: ['Great Britain'],
  AE: ['UAE', 'EAU'],
  NL: ['Holland', 'Holanda'],
  CZ: ['Czech Republic', 'República Checa'],
  KR: ['Korea', 'Corea', 'Coreia'],
};

/** Devices as people call them, in the languages of the service. */
const DEVICES: Readonly<Record<string, readonly string[]>> = {
  mobile: [
    ...['phone', 'phones', 'mobile phone', 'mobiles', 'smartphone', 'smartphones', 'cell phone', 'iPhone'],
    ...['móvil', 'móviles', 'celular', 'celulares', 'teléfono', 'teléfono móvil', 'telemóvel', 'telemóveis'],
  ],
  desktop: [
    ...['computer', 'computers', 'desktops', 'laptop', 'laptops', 'pc', 'ordenador', 'ordenadores'],
    ...['computadora', 'escritorio', 'portátil', 'computador', 'computadores'],
  ],
  tablet: ['tablets', 'tableta', 'tabletas', 'iPad'],
  tv: ['television', 'televisions', 'televisión', 'televisor', 'televisão', 'smart tv'],
};

const names = new Map<Kind, readonly Intl.DisplayNames[]>();

function namesOf(kind: Kind): readonly Intl.DisplayNames[] {
  const known =
    names.get(kind) ??
    SPOKEN.flatMap((language) =>
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

/** A source by its name: people also write its host, and nicknames. */
function sourceIn(text: string): string {
  const host = text.replace(/^https?:\/\//i, '').replace(/[/?#].*$/s, '');
  return sourceOfLabel(host.trim())?.name ?? text;
}

/** The text that a value of the dimension is compared by. */
export function plainValue(dimension: string, text: string): string {
  if (PAGES.has(dimension)) return pathOf(text);
  return dimension === 'source' ? sourceIn(text) : text;
}

/** What a country calls itself in the language that most people there speak. */
function ownNameOf(country: string): string[] {
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const name = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(country);
  return name === undefined ? [] : [name];
}

const labels = new Map<string, string[]>();

/** The value, and what people call it: countries and languages by their names, in several languages and in the country's own, and devices. */
export function labelsOf(dimension: string, value: string): string[] {
  if (dimension === 'device') return [value, ...(DEVICES[value] ?? [])];
  const kind = KINDS[dimension];
  if (kind === undefined || !CODES[kind].test(value)) return [plainValue(dimension, value)];
  const key = `${kind} ${value}`;
  const known = labels.get(key) ?? [
    ...[value, ...namesOf(kind).flatMap((of) => of.of(value) ?? [])],
    ...(kind === 'region' ? [...ownNameOf(value), ...(ABBREVIATIONS[value] ?? [])] : []),
  ];
  if (kind === 'region') labels.set(key, known);
  return known;
}
