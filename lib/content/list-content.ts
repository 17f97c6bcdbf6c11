import { LANGUAGES } from '../languages.ts';
import type { ContentItem } from './catalogue.ts';
import type { ContentContext } from './content-context.ts';
import { guideItem } from './content-item.ts';
import { unlessAway } from './guides-away.ts';

export interface ListedContent {
  /** The catalogue by language, then the guides by language, each in catalogue order. */
  items: ContentItem[];
  /** False while the guides are unavailable: then none is among the items. */
  whole: boolean;
}

/** All public content of all languages. */
export async function listContent(ctx: ContentContext): Promise<ListedContent> {
  const records = LANGUAGES.flatMap((language) => ctx.catalogue.list(language));
  const listings = await unlessAway(ctx, () =>
    Promise.all(LANGUAGES.map((language) => ctx.guides.list(language))),
  );
  const guides = (listings ?? []).flatMap(({ entries }) => entries.map(guideItem));
  return { items: [...records, ...guides], whole: listings !== undefined };
}

/** The same content in all its languages, in the order of `LANGUAGES`. */
export const versionsOf = (items: readonly ContentItem[], id: string): ContentItem[] =>
  items.filter((item) => withoutLanguage(item.id) === withoutLanguage(id));

const SUFFIX = new RegExp(`:(?:${LANGUAGES.join('|')})$`);

/** An id without the language that the ids of the catalogue end with. */
export const withoutLanguage = (id: string): string => id.replace(SUFFIX, '');
