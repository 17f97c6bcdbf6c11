import { guideField } from '../../lib/content/guide-cache.ts';
import { compareText } from './compare-text.ts';
import type { PublicGuide } from './read-guides.ts';

/** A publication that loses more of the published guides than this is probably a mistake. */
const MAX_LOST_PART = 1 / 3;
const MAX_NAMED = 10;
/** `guide:<language>:<slug>`, as `guideField` writes it. */
const GUIDE_FIELD = /^guide:(?<language>[^:]+):(?<slug>.+)$/;

/** A publication that would take away too much. The message tells the publisher what to do. */
export class TooFewGuides extends Error {
  override readonly name = 'TooFewGuides';
}

/** Throws `TooFewGuides` for no guides, and if over a third of the published ones would disappear. `published`: fields of the hash. */
export function refuseLoss(
  published: readonly string[],
  guides: readonly Pick<PublicGuide, 'language' | 'slug'>[],
): void {
  if (guides.length === 0) {
    throw new TooFewGuides(
      'There are no public guides in content/guides. To publish none, add --allow-empty.',
    );
  }
  const next = new Set(guides.map(({ language, slug }) => guideField(language, slug)));
  const before = published.flatMap((field) => {
    const { language, slug } = GUIDE_FIELD.exec(field)?.groups ?? {};
    return language === undefined ? [] : { name: `${slug} ${language}`, isLost: !next.has(field) };
  });
  const lost = before.flatMap(({ name, isLost }) => (isLost ? name : [])).sort(compareText);
  if (lost.length <= before.length * MAX_LOST_PART) return;
  const more = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : '';
  throw new TooFewGuides(
    `${lost.length} of ${before.length} published guides would disappear: ${lost.slice(0, MAX_NAMED).join(', ')}${more}. If that is meant, add --allow-empty.`,
  );
}
