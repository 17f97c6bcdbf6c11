/** The HTML of texts: what it may hold whatever the text is. A browser shows it in `content-reading.browser.test.ts`. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderMarkdown } from '../../../functions/content/pages/markdown-html.ts';

/** Allows what the page allows. */
const follow = (href: string): string | undefined =>
  /^(?:https?:|mailto:|\/|#)/.test(href) ? href : undefined;
const htmlOf = (text: string): string => renderMarkdown(text, follow).html;

test.each([
  ['a raw element', '<b onclick="a()">x</b>', '<p>&lt;b onclick=&quot;a()&quot;&gt;x&lt;/b&gt;</p>\n'],
  ['a script', '<script>a()</script>\n', '<p>&lt;script&gt;a()&lt;/script&gt;</p>\n'],
  ['a comment', '<!-- a -->', '<p>&lt;!-- a --&gt;</p>\n'],
  ['text after a raw block', '<pre>\n\n<i>x</i>', '<p>&lt;pre&gt;</p>\n<p>&lt;i&gt;x&lt;/i&gt;</p>\n'],
  ['references to characters', 'a&nbsp;b &amp; c & d', '<p>a&nbsp;b &amp; c &amp; d</p>\n'],
  ['code', '`<b>&amp;`', '<p><code>&lt;b&gt;&amp;amp;</code></p>\n'],
  ['a link', '[*a*](/b "t")', '<p><a href="/b"><em>a</em></a></p>\n'],
  ['a link that must not be followed', '[*a*](javascript:alert(1))', '<p><em>a</em></p>\n'],
  ['its disguises', '[a](javascript&colon;b) [c](&#106;avascript:d)', '<p>a c</p>\n'],
  ['an address that leaves its attribute', '[a](</"onclick=b>)', '<p><a href="/&quot;onclick=b">a</a></p>\n'],
  [
    'an address alone',
    '<https://a.example/?b&c>',
    '<p><a href="https://a.example/?b&amp;c">https://a.example/?b&amp;c</a></p>\n',
  ],
  [
    'an image',
    '![A <b>](https://a.example/b.png)',
    '<p><a href="https://a.example/b.png">A &lt;b&gt;</a></p>\n',
  ],
  ['an image that isn’t followed', '![A](data:image/png;base64,AA)', '<p>A</p>\n'],
  ['a heading', '# A *b*', '<h2 id="a-b">A <em>b</em></h2>\n'],
])('%s', (_, text, html) => {
  expect(htmlOf(text)).toBe(html);
});

test('the parts of a text, with the ids that links lead to', () => {
  const { headings, html } = renderMarkdown('## Água & <sal>\n\n### No part\n\n## Água & <sal>\n', follow);
  expect(headings).toEqual([
    { id: 'agua-sal', text: 'Água &amp; &lt;sal&gt;' },
    { id: 'agua-sal-2', text: 'Água &amp; &lt;sal&gt;' },
  ]);
  expect(html).toContain('<h2 id="agua-sal-2">');
});

test('code and tables scroll by themselves', () => {
  expect(htmlOf('```js\na <b>\n```')).toBe(
    '<div class="copy"><pre tabindex="0"><code>a &lt;b&gt;</code></pre></div>\n',
  );
  const table = htmlOf('| a | <i> |\n|---|--:|\n| `b` | c |\n');
  expect(table).toMatch(/^<div class="wide" tabindex="0"><table>/);
  expect(table).toContain('<td align="right">c</td>');
});

/** Every tag that a text may become. */
const TAG =
  /^<(?:\/?(?:p|em|strong|del|code|blockquote|ul|li|table|thead|tbody|tr|th|td|h[2-6]|div|pre|a|ol)|br|hr|a href="(?:https?:|mailto:|\/|#)[^"<>]*"|h[2-6] id="[\p{L}\p{N}-]+"|ol start="\d+"|(?:th|td) align="(?:left|right|center)"|div class="(?:copy|wide)"(?: tabindex="0")?|pre tabindex="0"|input (?:checked="" )?disabled="" type="checkbox")>$/u;

const PIECES = [
  ...[
    '<',
    '>',
    '"',
    "'",
    '&',
    '`',
    '*',
    '_',
    '[',
    ']',
    '(',
    ')',
    '!',
    '#',
    '\\',
    '|',
    '-',
    '\n',
    '\n\n',
    ' ',
    '~',
  ],
  ...[
    '<script>',
    '</script>',
    '<img src=x onerror=a>',
    '<a href="javascript:a">',
    'javascript:',
    'data:text/html,',
  ],
  ...[
    '&lt;',
    '&#x3c;',
    '&colon;',
    '[a](',
    '![a](',
    'https://a.example/',
    '<pre>',
    '</pre>',
    '<!--',
    '-->',
    '```',
    '- [ ] ',
    '1. ',
  ],
  ...['| a | b |\n|--|:-:|\n| c | d |\n', '[r]: /x\n', 'é', '\u202e', '\0', 'style="a"', ' onclick=a '],
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 25 })
  .map((parts) => parts.join(''));

test('whatever the text is, every tag is one of ours', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { html, headings } = renderMarkdown(text, follow);
      for (const tag of html.match(/<[^>]*>?/g) ?? []) expect(tag).toMatch(TAG);
      for (const { text: heading } of headings) expect(heading).not.toMatch(/[<>"]/);
    }),
    { numRuns: 5000 },
  );
});
