/** A small catalogue and guides for tests. */
import type { Catalogue } from '../../../lib/content/catalogue.ts';
import type { Language } from '../../../lib/languages.ts';
import { buildCatalogue } from '../../../tooling/content/build-catalogue.ts';
import type { Entry } from '../../../tooling/content/entry.ts';
import type { PublicGuide } from '../../../tooling/content/read-guides.ts';

const WEBSITE = 'https://www.example.com';

/** A text of paragraphs of at least `length`, with characters of every length in UTF-8. */
export function longText(length: number): string {
  const parts: string[] = [];
  for (let n = 1, total = 0; total < length; n += 1) {
    const part = `Paragraph ${n}: ação, niño, Ελλάδα, 漢字, 👩‍👩‍👧 and ${'words '.repeat(n % 40)}.\n\n`;
    parts.push(part);
    total += part.length;
  }
  return parts.join('');
}

export function sampleEntry(changes: Partial<Entry> & Pick<Entry, 'type' | 'slug'>): Entry {
  return {
    language: 'en',
    isPublic: true,
    order: 1,
    title: `Title of ${changes.slug}`,
    description: 'One plain sentence.',
    path: `/${changes.slug}`,
    updated: '2026-09-30',
    keywords: ['sample', 'keyword'],
    text: 'A short text.',
    locate: (field) => ({ file: 'sample', line: 1, column: 1, field }),
    ...changes,
  };
}

export const makeCatalogue = (entries: readonly Entry[]): Promise<Catalogue> =>
  buildCatalogue({ publisher: { name: 'Sample', website: WEBSITE }, entries });

/** `harbour` has three pages, `salt` two. Each language has a service and facts. */
export const SAMPLE_ENTRIES: readonly Entry[] = [
  sampleEntry({ type: 'service', slug: 'harbour', title: 'Harbour pilots', text: longText(41_000) }),
  sampleEntry({ type: 'service', slug: 'harbour', language: 'es', title: 'Prácticos de puerto' }),
  sampleEntry({ type: 'service', slug: 'maré', language: 'pt-PT', title: 'Maré cheia', updated: undefined }),
  sampleEntry({ type: 'case-study', slug: 'salt', title: 'Salt museum', text: longText(21_000) }),
  sampleEntry({ type: 'product', slug: 'buoy', title: 'Buoy', keywords: ['harbour', 'light'] }),
  sampleEntry({ type: 'business', slug: 'facts', title: 'Who we are', description: 'By the harbour.' }),
  sampleEntry({ type: 'business', slug: 'facts', language: 'es', title: 'Quiénes somos' }),
  sampleEntry({ type: 'business', slug: 'facts', language: 'pt-PT', title: 'Quem somos' }),
];

export const sampleGuide = (
  slug: string,
  language: Language = 'en',
  changes: Partial<PublicGuide> = {},
): PublicGuide => ({
  slug,
  language,
  title: `Guide to ${slug}`,
  description: 'How it is done.',
  url: `${WEBSITE}/guides/${slug}`,
  updatedAt: '2026-09-14T00:00:00.000Z',
  text: 'A short guide.',
  ...changes,
});

/** `tides` is in English (three pages) and Spanish, `knots` only in English, `ventos` only in Portuguese. */
export const SAMPLE_GUIDES: readonly PublicGuide[] = [
  sampleGuide('tides', 'en', { title: 'Reading tides in a harbour', text: longText(41_000) }),
  sampleGuide('tides', 'es', { title: 'Leer las mareas', text: 'Pleamar y bajamar.' }),
  sampleGuide('knots', 'en', { updatedAt: null }),
  sampleGuide('ventos', 'pt-PT', { title: 'Os ventos' }),
];
