/** The demo site's pages that generated visitors open, the most visited first. */
export interface VisitedPage {
  path: string;
  title: string;
  /** Who wrote it: a property of its page views. */
  author?: string;
}

const ARTICLES = [
  ['how-to-change-strings', 'How to change strings'],
  ['gauges-explained', 'Gauges, explained'],
  ['why-strings-break', 'Why strings break'],
  ['nylon-or-steel', 'Nylon or steel?'],
  ['the-perfect-pick', 'The perfect pick'],
  ['tuning-by-ear', 'Tuning by ear'],
  ['drop-d-in-ten-minutes', 'Drop D in ten minutes'],
  ['humidity-and-you', 'Humidity and you'],
  ['buying-a-first-guitar', 'Buying a first guitar'],
  ['setup-at-home', 'A setup at home'],
  ['coated-strings-tested', 'Coated strings, tested'],
  ['intonation', 'Intonation'],
] as const;

const AUTHORS = ['Inês Duarte', 'Tom Hale', 'Carmen Ruiz'];

const article = ([slug, title]: readonly [string, string]): VisitedPage => ({
  path: `/demo/journal/${slug}`,
  title: `${title} · Six Strings`,
  author: AUTHORS[slug.length % AUTHORS.length] ?? '',
});

const shop = (path: string, title: string): VisitedPage => ({
  path: `/demo${path}`,
  title: title === '' ? 'Six Strings' : `${title} · Six Strings`,
});

const RANKED: VisitedPage[] = [
  shop('', ''),
  shop('/strings', 'Strings'),
  ...ARTICLES.slice(0, 2).map(article),
  shop('/strings/light', 'Strings'),
  shop('/picks', 'Picks'),
  ...ARTICLES.slice(2, 5).map(article),
  shop('/strings/medium', 'Strings'),
  ...ARTICLES.slice(5).map(article),
  shop('/about', 'About us'),
];

/** The pages that follow a filled basket. */
export const CHECKOUT = shop('/checkout', 'Checkout');
export const THANKS = shop('/thanks', 'Thank you');

/** A power law: the page of rank r has r^-1.1 times the visits of the first. */
export const PAGES = RANKED.map((page, index) => [page, (index + 1) ** -1.1] as const);

/** Pages on which visits begin: visitors find articles by search; those who know the site open the front page. */
export const ENTRIES = PAGES.map(([page, weight]) => {
  const isFound = page.path === '/demo' || page.path.includes('/journal/');
  return [page, isFound ? weight * 2 : weight * 0.6] as const;
});
