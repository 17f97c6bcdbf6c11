/** What `content:build` warns of, and refuses with `--strict` (content/README.md). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Language } from '../../../lib/languages.ts';
import { showFault } from '../../../tooling/content/fault.ts';
import { findWarnings } from '../../../tooling/content/find-warnings.ts';
import { readMarkdown } from '../../../tooling/content/markdown-texts.ts';
import { readContent } from '../../../tooling/content/read-content.ts';
import { writeCatalogue } from '../../../tooling/content/write-catalogue.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import {
  CASE_STUDY,
  edit,
  type Files,
  GUIDE,
  makeContent,
  PRODUCT,
  SERVICE,
  SOUND,
} from './content-folder.ts';

const NOW = Date.UTC(2026, 10, 22, 12);

const warningsOf = async (files: Files): Promise<string[]> =>
  findWarnings(await readContent(await makeContent(files)), NOW).map(showFault);

/** The fixture's guide with another text; its body begins in line 7. */
const guideWith = (text: string): Files => ({
  'guides/fonts/en.md': edit(GUIDE, 'Choose one.\n\n## Then\n\nStop.\n', text),
});
const service = (from: string, to: string): Files => ({
  'services/online-shop.yaml': edit(SERVICE, from, to),
});
const NO_ALT = 'is an image without a text for those who can’t see it';

test('sound content has no warnings', async () => {
  expect(await warningsOf(SOUND)).toEqual([]);
});

const IN_GUIDE: [name: string, text: string, expected: string[]][] = [
  ['an unclosed fence', 'One.\n\n```js\na();\n', ['9:1 body: opens a code block that nothing closes']],
  ['a fence closed by a shorter one', '````\na\n```\n', ['7:1 body: opens a code block that nothing closes']],
  ['a fence closed by other marks', '~~~\na\n```\n', ['7:1 body: opens a code block that nothing closes']],
  [
    'an unclosed fence in a list',
    '- One.\n\n  ```\n  a\n',
    ['9:1 body: opens a code block that nothing closes'],
  ],
  ['fences that are closed', '```js\na\n```\n\n~~~\n```\n~~~\n\n    indented\n', []],
  [
    'a link to no page',
    'See [it](/guides/nothing).\n',
    ['7:5 body: leads to /guides/nothing, which isn’t a public page of content/'],
  ],
  [
    'a whole address of the website to no page',
    'See <https://www.caisnorte.example/nothing>.\n',
    ['7:5 body: leads to /nothing, which isn’t a public page of content/'],
  ],
  [
    'a relative link to no page',
    'See [it](nothing).\n',
    ['7:5 body: leads to /guides/nothing, which isn’t a public page of content/'],
  ],
  [
    'a reference to no page',
    'See [it][one].\n\n[one]: /nothing\n',
    [
      '7:5 body: leads to /nothing, which isn’t a public page of content/',
      '9:1 body: leads to /nothing, which isn’t a public page of content/',
    ],
  ],
  [
    'a link to a heading that isn’t there',
    '## A part\n\n[it](#the-part)\n',
    ['9:1 body: leads to #the-part, which no heading here has'],
  ],
  [
    'links to what is there',
    '## Primeira *parte*\n\n[a](#primeira-parte) [b](/services/online-shop) [c](/pt/produtos/mar%C3%A9#x) [d](https://example.com/nothing) [e](mailto:a@b.example) [f](tel:+351) [g](/) [h](online-shop/../fonts)\n',
    [],
  ],
  ['a javascript: link', 'One [x](javascript:alert(1)).\n', ['7:5 body: must not be a javascript: link']],
  [
    'a javascript: link in disguise',
    '[a]( JaVaScRiPt:a) <javascript:b>\n',
    ['7:1 body: must not be a javascript: link', '7:20 body: must not be a javascript: link'],
  ],
  [
    'a javascript: link as HTML',
    '<a href="javascript:a()">x</a>\n',
    ['7:4 body: must not be a javascript: link'],
  ],
  ['data as a link', '![x](data:image/png;base64,AA)\n', ['7:1 body: must not be a data: link']],
  ['an image without alt', '![](https://example.com/a.png)\n', [`7:1 body: ${NO_ALT}`]],
  ['an image with a blank alt', 'A ![ ](https://example.com/a.png)\n', [`7:3 body: ${NO_ALT}`]],
  [
    'an HTML image without alt',
    '<img src="https://example.com/a.png"> <img alt="" src="https://example.com/a.png">\n',
    [`7:1 body: ${NO_ALT}`, `7:39 body: ${NO_ALT}`],
  ],
  ['images with alt', '![A](https://example.com/a.png) <img alt="A" src="https://example.com/a.png">\n', []],
  ['TODO', 'One.\n\nTODO: more\n', ['9:1 body: still says TODO']],
  ['lorem ipsum', '| a |\n|---|\n| Lorem ipsum dolor |\n', ['9:3 body: still says Lorem ipsum']],
  ['todo in Spanish, and in code', 'Todo el día, todo. `TODO`\n\n```\nTODO\n```\n', []],
];

test.each(IN_GUIDE)('in a guide, %s', async (_, text, expected) => {
  const found = await warningsOf({ ...SOUND, ...guideWith(text) });
  expect(found).toEqual(expected.map((line) => `content/guides/fonts/en.md:${line}`));
});

const ELSEWHERE: [name: string, files: Files, expected: string[]][] = [
  [
    'TODO in a field',
    service('title: Online shop', 'title: TODO shop'),
    ['services/online-shop.yaml:5:5 languages.en.title: still says TODO'],
  ],
  [
    'a link in an answer',
    service('answer: Because.', 'answer: See [x](/x).'),
    [
      'services/online-shop.yaml:24:9 languages.en.questions.0.answer: leads to /x, which isn’t a public page of content/',
    ],
  ],
  [
    'a link to what isn’t public',
    {
      ...guideWith('[it](/guides/other)\n'),
      'guides/other/en.md': edit(GUIDE, 'path: /guides/fonts', 'path: /guides/other\npublic: false'),
    },
    ['guides/fonts/en.md:7:1 body: leads to /guides/other, which isn’t a public page of content/'],
  ],
  [
    'an order twice',
    { 'products/b.yaml': edit(PRODUCT, 'produtos/maré', 'produtos/b') },
    ['products/maré.yaml:1:1 order: is also that of content/products/b.yaml:1'],
  ],
  [
    'an order twice in Markdown, reported once',
    {
      'case-studies/a/en.md': edit(CASE_STUDY, 'museu-do-sal', 'a'),
      'case-studies/a/es.md': edit(CASE_STUDY, '/case-studies/museu-do-sal', '/es/a'),
    },
    ['case-studies/museu-do-sal/en.md:5:1 order: is also that of content/case-studies/a/en.md:5'],
  ],
  [
    'a day ahead',
    { 'guides/fonts/en.md': edit(GUIDE, '2026-09-14', '2026-11-24') },
    ['guides/fonts/en.md:5:1 updated: is a day ahead of today'],
  ],
  ['today where it begins first', { 'guides/fonts/en.md': edit(GUIDE, '2026-09-14', '2026-11-23') }, []],
  [
    'a day ahead of a file with all languages',
    service('2026-09-30', '2027-01-01'),
    ['services/online-shop.yaml:2:1 updated: is a day ahead of today'],
  ],
  [
    'a keyword that nobody can search for',
    service('[shop, e-commerce]', '[shop, "¿?", e-commerce]'),
    ['services/online-shop.yaml:8:22 languages.en.keywords.1: is not found by a search for it'],
  ],
  [
    'a keyword of Markdown',
    { 'case-studies/museu-do-sal/en.md': edit(CASE_STUDY, '[museum, tickets]', '[museum, "--"]') },
    ['case-studies/museu-do-sal/en.md:6:20 keywords.1: is not found by a search for it'],
  ],
  [
    'synonyms of nothing',
    { 'synonyms/en.yaml': 'groups:\n  - [shops, store]\n  - [boat, ship]\n' },
    ['synonyms/en.yaml:3:5 groups.1: has no phrase that any public record has'],
  ],
];

test.each(ELSEWHERE)('%s', async (_, files, expected) => {
  expect(await warningsOf({ ...SOUND, ...files })).toEqual(expected.map((line) => `content/${line}`));
});

const THOUSANDS = {
  en: 'must write thousands as in 1,250 and 12,500',
  es: 'must write thousands as in 1.250 and 12.500',
  'pt-PT': 'must write thousands as in 1250 and 12 500, with a no-break space',
} as const;

test.each<[Language, string, string[]]>([
  ['en', '€1,250, €12,500.50 and 1,250,000', []],
  ['en', 'in 2026, 120 people; 1,25 of it; 0.125 and 2.5', []],
  ['en', 'EN 301 549, PDF/UA (ISO 14289), +351 22 555 01 40, 36200 Vigo, 1.2.100, v3.100, /12500', []],
  ['en', '€12.500', ['12.500']],
  ['en', '12 500 and 12\u00a0500', ['12 500', '12\u00a0500']],
  ['en', '`12.500` is code, 12500 is not', ['12500']],
  ['es', '1.250 €, 12.500,50 € y 1.250.000', []],
  ['es', '12,500 € y 12 500', ['12,500', '12 500']],
  ['pt-PT', '1250 €, 12\u00a0500,50 € e 1\u00a0250\u00a0000', []],
  ['pt-PT', '12.500 €, 12 500, 1.250 e 1\u00a0250', ['12.500', '12 500', '1.250', '1\u00a0250']],
])('%s: thousands in “%s”', (language, text, wrong) => {
  const { findings } = readMarkdown(text, language, []);
  expect(findings).toEqual(
    wrong.map((number) => ({ index: text.indexOf(number), rule: THOUSANDS[language] })),
  );
});

test('a name that is written otherwise', async () => {
  const names = 'names:\n  - name: European Accessibility Act\n    not: [EU Accessibility Act]\n';
  const files = { ...SOUND, 'names.yaml': names, ...guideWith('The eu accessibility act.\n') };
  expect(await warningsOf(files)).toEqual([
    'content/guides/fonts/en.md:7:5 body: says “EU Accessibility Act”; here it is “European Accessibility Act”',
  ]);
});

test('a folder without public guides', async () => {
  const { 'guides/fonts/en.md': _, ...others } = SOUND;
  expect(await warningsOf(others)).toEqual(['content/guides:1:1: has no public guide']);
});

test('the catalogue is written despite warnings, and not with --strict', async () => {
  const root = await makeContent({ ...SOUND, ...guideWith('TODO\n') });
  const written = () => readFile(join(root, 'catalogue.generated.json'), 'utf8').catch(() => 'nothing');
  const lines: string[] = [];
  const build = (strict: boolean) =>
    writeCatalogue(root, { strict, now: NOW, warn: (line) => lines.push(line) });
  await expect(build(true)).rejects.toThrow('--strict refuses warnings');
  expect(await written()).toBe('nothing');
  expect(await build(false)).toContain('service: 1 en');
  expect(await written()).toContain('service:online-shop:en');
  const warning = 'warning: content/guides/fonts/en.md:7:1 body: still says TODO';
  expect(lines).toEqual([warning, warning]);
});

test('the content of this repository has no warnings', async () => {
  expect(findWarnings(await readContent(join(ROOT, 'content')), NOW).map(showFault)).toEqual([]);
});
