/**
 * Written by `npm run lists`: what our own lists lack of public ones.
 * Nothing yet: our own lists stand alone.
 */
import type { PublicLists } from './public-lists.ts';

export const PUBLIC_LISTS: PublicLists = {
  "search": {},
  "social": {},
  "ai": {},
  "countryBrands": {},
  "spam": {}
};
