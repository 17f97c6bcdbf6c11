/** The pages of the demo site that made-up visitors see, the most visited first. */
export interface VisitedPage {
  path: string;
  title: string;
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

const article = ([slug, title]: readonly [string, string]): VisitedPage => ({
  path: `/demo/journal/${slug}`,
  title: `${title} · Six Strings`,
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

/** Where a basket leads. */
export const CHECKOUT = shop('/checkout', 'Checkout');
export const THANKS = shop('/thanks', 'Thank you');

/** A power law: the page of rank r is seen r^-1.1 times as often as the first. */
export const PAGES = RANKED.map((page, index) => [page, (index + 1) ** -1.1] as const);

/** Where visits begin: articles are found by searching, the front page by those who know it. */
export const ENTRIES = PAGES.map(([page, weight]) => {
  const isFound = page.path === '/demo' || page.path.includes('/journal/');
  return [page, isFound ? weight * 2 : weight * 0.6] as const;
});
