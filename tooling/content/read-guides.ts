import type { ContentItem } from '../../lib/content/catalogue.ts';
import { publishedFields } from './entry.ts';
import { readGuideContent } from './read-content.ts';

/** A guide in one language, ready for publication. */
export interface PublicGuide extends Omit<ContentItem, 'id' | 'type'> {
  slug: string;
  /** Markdown. */
  text: string;
}

/** The public guides of a content folder (absolute path), by slug and language. Throws `ContentFaults` if any file is invalid. */
export async function readGuides(root: string): Promise<PublicGuide[]> {
  const { publisher, entries } = await readGuideContent(root);
  return entries
    .filter(({ isPublic }) => isPublic)
    .map((entry) => ({ slug: entry.slug, ...publishedFields(entry, publisher), text: entry.text }));
}
