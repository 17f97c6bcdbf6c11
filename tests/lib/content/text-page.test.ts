import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_PAGE_LENGTH, pageOf } from '../../../lib/content/text-page.ts';

function pagesOf(text: string, maxLength?: number): string[] {
  const pages: string[] = [];
  for (let start: number | null = 0; start !== null; ) {
    const page = pageOf(text, start, maxLength);
    pages.push(page.text);
    start = page.next;
  }
  return pages;
}

/** Any code points, and often those at which pages break. */
const units = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('\n\n', '\n', ' ', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', 'é'),
  },
  { weight: 1, arbitrary: fc.string({ minLength: 50, maxLength: 300 }) },
);
const texts = fc.array(units, { maxLength: 60 }).map((parts) => parts.join(''));

test('the pages of a text, joined, are the text; none is too long, empty or cuts a code point', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 200 }), (text, maxLength) => {
      const pages = pagesOf(text, maxLength);
      expect(pages.join('')).toBe(text);
      for (const page of pages) {
        expect(page.length).toBeLessThanOrEqual(maxLength);
        expect(page.isWellFormed()).toBe(text.isWellFormed());
        if (pages.length > 1) expect(page).not.toBe('');
      }
    }),
    { numRuns: 1000 },
  );
});

test('an empty text is one empty page', () => {
  expect(pagesOf('')).toEqual(['']);
});

describe('where a page of ten ends', () => {
  test.each([
    ['the whole text fits', 'abcdefghij', ['abcdefghij']],
    ['at a paragraph', 'abcd\n\nefgh\nijkl mnop', ['abcd\n\n', 'efgh\n', 'ijkl mnop']],
    ['not at a paragraph in the first half', 'a\n\nbcdefghijkl', ['a\n\nbcdefgh', 'ijkl']],
    ['at a line before a word', 'abcde\nfg hijk', ['abcde\n', 'fg hijk']],
    ['at a word', 'abc defg hijkl', ['abc defg ', 'hijkl']],
    ['anywhere', 'abcdefghijklm', ['abcdefghij', 'klm']],
    ['before a pair', 'abcdefghi\u{1f600}jk', ['abcdefghi', '\u{1f600}jk']],
    ['after a pair', 'abcdefgh\u{1f600}jk', ['abcdefgh\u{1f600}', 'jk']],
    ['before a heading', 'abcdef\n# Hi\n\njk', ['abcdef\n', '# Hi\n\njk']],
    ['before a heading that is cut', 'abcde\n# Higher up', ['abcde\n', '# Higher ', 'up']],
    ['before several headings', 'ab\n# C\n## D\nefgh', ['ab\n', '# C\n## D\n', 'efgh']],
    ['after a hashtag', 'abcd\n#hi\n\njklm', ['abcd\n#hi\n\n', 'jklm']],
    ['with a break just at the limit', 'abcdefgh\n\nij', ['abcdefgh\n\n', 'ij']],
  ])('%s', (_, text, pages) => {
    expect(pagesOf(text, 10)).toEqual(pages);
  });
});

test('by default a page has at most 20,000 characters', () => {
  expect(pagesOf('x'.repeat(2 * MAX_PAGE_LENGTH + 1)).map(({ length }) => length)).toEqual([
    20_000, 20_000, 1,
  ]);
});
