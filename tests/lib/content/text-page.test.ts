import fc from 'fast-check';
import { lexer } from 'marked';
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
    ['before an indented heading', 'abcdef\n  # H\n\njk', ['abcdef\n', '  # H\n\njk']],
    ['before a heading without words', 'abcdefg\n#\n\njk', ['abcdefg\n', '#\n\njk']],
    ['before an underlined heading', 'abcd\n\nH\n=\njk', ['abcd\n\n', 'H\n=\njk']],
    ['before an underlined heading that is cut', 'abcd\n\nHigh\n--\nj', ['abcd\n\n', 'High\n--\nj']],
    ['before an underlined heading of two lines', 'abc\n\nH\nI\n--\njk', ['abc\n\n', 'H\nI\n--\njk']],
    ['after a line between paragraphs', 'ab\n\n---\n\njklm', ['ab\n\n---\n\n', 'jklm']],
    ['after a hashtag', 'abcd\n#hi\n\njklm', ['abcd\n#hi\n\n', 'jklm']],
    ['with a break just at the limit', 'abcdefgh\n\nij', ['abcdefgh\n\n', 'ij']],
  ])('%s', (_, text, pages) => {
    expect(pagesOf(text, 10)).toEqual(pages);
  });
});

/** Markdown with headings of every kind, and what looks like one. */
const markdown = fc
  .array(
    fc.constantFrom(
      '# One\n\n',
      '## Two and more\n',
      '   ### Three ###\n\n',
      'Four\n====\n\n',
      'Five\nmore\n---\n',
      'A paragraph of some words.\n\n',
      'Another one\nin two lines.\n\n',
      '- an item\n- another\n\n',
      '---\n\n',
      '#hashtag of a text\n\n',
    ),
    { minLength: 2, maxLength: 30 },
  )
  .map((parts) => parts.join(''));

test('a page with more than headings never ends with one, as a parser of Markdown reads it', () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 40, max: 120 }), (text, maxLength) => {
      for (const page of pagesOf(text, maxLength).slice(0, -1)) {
        const blocks = lexer(page).filter(({ type }) => type !== 'space');
        if (blocks.some(({ type }) => type !== 'heading' && type !== 'hr'))
          expect(blocks.at(-1)?.type).not.toBe('heading');
      }
    }),
    { numRuns: 3000 },
  );
});

test('by default a page has at most 20,000 characters', () => {
  expect(pagesOf('x'.repeat(2 * MAX_PAGE_LENGTH + 1)).map(({ length }) => length)).toEqual([
    20_000, 20_000, 1,
  ]);
});
