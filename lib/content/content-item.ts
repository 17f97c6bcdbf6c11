import type { ContentItem } from './catalogue.ts';
import type { GuideEntry } from './guide-cache.ts';

/** What a list shows of a record: built field by field, so that nothing else leaves. */
export const itemOf = (record: ContentItem): ContentItem => ({
  id: record.id,
  type: record.type,
  language: record.language,
  title: record.title,
  description: record.description,
  url: record.url,
  updatedAt: record.updatedAt,
});

export const guideItem = (entry: GuideEntry): ContentItem => itemOf({ ...entry, type: 'guide' });
