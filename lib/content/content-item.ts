import type { ContentItem } from './catalogue.ts';
import type { GuideEntry } from './guide-cache.ts';

/** The fields of a record that a list shows. Copied one by one, so that no other field is published. */
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
