import { expect, test } from 'vitest';
import { ContentFaults } from '../../../tooling/content/fault.ts';
import { readContent } from '../../../tooling/content/read-content.ts';
import { readGuides } from '../../../tooling/content/read-guides.ts';
import {
  CASE_STUDY,
  edit,
  FACTS,
  type Files,
  GUIDE,
  makeContent,
  PRODUCT,
  SERVICE,
  SOUND,
} from './content-folder.ts';

async function faultsOf(files: Files): Promise<string[]> {
  const failure: unknown = await readContent(await makeContent(files)).catch((error: unknown) => error);
  if (!(failure instanceof ContentFaults)) throw new Error('nothing was found', { cause: failure });
  return failure.message.split('\n');
}

const service = (from: string, to: string): Files => ({
  'services/online-shop.yaml': edit(SERVICE, from, to),
});
const guide = (from: string, to: string): Files => ({ 'guides/fonts/en.md': edit(GUIDE, from, to) });
const study = (from: string, to: string): Files => ({
  'case-studies/museu-do-sal/en.md': edit(CASE_STUDY, from, to),
});

const IN_SERVICE: [name: string, from: string, to: string, expected: string[]][] = [
  ['an unclosed list', '[Photographs]', '[Photographs', ['16:15']],
  ['an unclosed quote', 'title: Online shop', 'title: "Online shop', ['5:12']],
  ['a tab', '    title:', '\t\ttitle:', ['5:1']],
  ['a colon in plain text', 'Online shop', 'Shop: online', ['5:12']],
  ['a second document', 'order: 1\n', 'order: 1\n---\n', ['2:1']],
  ['a tag', 'order: 1', 'order: !number 1', ['1:8']],
  ['a field twice', 'updated: 2026-09-30', 'order: 2', ['2:1 order: stands here a second time']],
  ['an alias', 'order: 1', 'order: &one 1\nyear: *one', ['2:7: must not be a YAML alias']],
  ['a list as a name', 'order: 1', '? [order]\n: 1', ['1:3: must have a plain name']],
  ['an unknown field', 'updated:', 'date:', ['2:1 date: is not a known field']],
  [
    'several unknown fields',
    'order: 1\n',
    'order: 1\ncolour: red\n__proto__: 1\nconstructor: 2\n',
    [
      '2:1 colour: is not a known field',
      '3:1 __proto__: is not a known field',
      '4:1 constructor: is not a known field',
    ],
  ],
  [
    'an unknown field deep inside',
    'answer:',
    'reply:',
    [
      '23:9 languages.en.questions.0.answer: is required',
      '24:9 languages.en.questions.0.reply: is not a known field',
    ],
  ],
  ['a missing field', '    timeline: 10 weeks\n', '', ['4:3 languages.en.timeline: is required']],
  ['a missing field of the file', 'order: 1\n', '', ['1:1 order: is required']],
  ['a field without a value', 'title: Online shop', 'title:', ['5:5 languages.en.title: must be a string']],
  ['a number for text', 'title: Online shop', 'title: 2026', ['5:5 languages.en.title: must be a string']],
  ['text for a number', 'order: 1', 'order: first', ['1:1 order: must be a number']],
  ['a fraction', 'order: 1', 'order: 1.5', ['1:1 order: must be a whole number']],
  ['zero', 'order: 1', 'order: 0', ['1:1 order: must be at least 1']],
  ['text for a truth', 'updated:', 'public: yes\nupdated:', ['2:1 public: must be true or false']],
  ['text for a list', '[Photographs]', 'Photographs', ['16:5 languages.en.excludes: must be a list']],
  ['an empty list', '[Photographs]', '[]', ['16:5 languages.en.excludes: must not be empty']],
  ['a wrong item', '- Build', '- 12', ['15:9 languages.en.includes.1: must be a string']],
  ['an object for a text', '- Build', '- Build: it', ['15:9 languages.en.includes.1: must be a string']],
  ['a day that is not', '2026-09-30', '2026-02-30', ['2:1 updated: must be a day such as 2026-09-14']],
  ['a month that is not', '2026-09-30', '2026-13-01', ['2:1 updated: must be a day such as 2026-09-14']],
  ['a day another way', '2026-09-30', '30/09/2026', ['2:1 updated: must be a day such as 2026-09-14']],
  [
    'a long title',
    'Online shop',
    'x'.repeat(151),
    ['5:5 languages.en.title: must have at most 150 characters'],
  ],
  ['a blank title', 'title: Online shop', 'title: " "', ['5:5 languages.en.title: must not be empty']],
  [
    'two lines',
    'title: Online shop',
    'title: "a\\nb"',
    ['5:5 languages.en.title: must be one line without tabs'],
  ],
  ['one keyword', '[shop, e-commerce]', '[shop]', ['8:5 languages.en.keywords: must have at least 2 items']],
  [
    'a short keyword',
    '[shop, e-commerce]',
    '[shop, e]',
    ['8:22 languages.en.keywords.1: must have at least 2 characters'],
  ],
  [
    'a lone surrogate',
    'title: Online shop',
    'title: "\\ud800"',
    ['5:5 languages.en.title: must be well-formed Unicode'],
  ],
  [
    'an accent apart',
    'Online shop',
    'Cafe\u0301',
    ['5:5 languages.en.title: must be in NFC: letters with their accents as one character'],
  ],
  [
    'an escape',
    'Online shop',
    'a\u001bb',
    ['5:5 languages.en.title: must not hold control characters (U+001B)'],
  ],
  [
    'an unknown language',
    '  en:\n',
    '  fr:\n',
    [
      '3:1 languages: must have at least one language',
      '4:3 languages.fr: is not a language here: en, es, pt-PT',
    ],
  ],
  [
    'a path of another language',
    '/services/online-shop',
    '/es/online-shop',
    ['7:5 languages.en.path: must not begin with another language'],
  ],
  ['a path without its language', '  en:\n', '  es:\n', ['7:5 languages.es.path: must begin with /es/']],
  [
    'an address as a path',
    'path: /services/online-shop',
    'path: https://example.com/',
    ['7:5 languages.en.path: must be a path of lower-case letters, digits and hyphens such as /guides/fonts'],
  ],
];

test.each(IN_SERVICE)('in a service, %s', async (_, from, to, expected) => {
  const found = await faultsOf({ ...SOUND, ...service(from, to) });
  expect(found).toHaveLength(expected.length);
  for (const [index, line] of expected.entries()) {
    expect(found[index]).toMatch(/^content\/services\/online-shop\.yaml:/);
    expect(`${found[index]} `).toContain(
      `online-shop.yaml:${line}${line.includes(' ') ? ' ' : ': is not sound YAML: '}`,
    );
  }
});

const ELSEWHERE: [name: string, files: Files, expected: string[]][] = [
  [
    'no languages',
    { 'services/a.yaml': 'order: 1\nlanguages: {}\n' },
    ['services/a.yaml:2:1 languages: must have at least one language'],
  ],
  ['an empty file', { 'services/a.yaml': '' }, ['services/a.yaml:1:1: must be an object']],
  [
    'a list as a file',
    { 'services/a.yaml': '- 1\n' },
    [
      'services/a.yaml:1:1 0: is not a known field',
      'services/a.yaml:1:1 order: is required',
      'services/a.yaml:1:1 languages: is required',
    ],
  ],
  ['no title in a guide', guide('title: Fonts\n', ''), ['guides/fonts/en.md:2:1 title: is required']],
  [
    'a bad day in a guide',
    guide('2026-09-14', '2025-02-29'),
    ['guides/fonts/en.md:5:1 updated: must be a day such as 2026-09-14'],
  ],
  [
    'an unknown field in a guide',
    guide('updated:', 'order: 1\nupdated:'),
    ['guides/fonts/en.md:5:1 order: is not a known field'],
  ],
  [
    'broken YAML in a guide',
    guide('title: Fonts', 'title: [Fonts'),
    [
      'guides/fonts/en.md:2:8: is not sound YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
  ],
  [
    'a year in words',
    study('year: 2025', 'year: last'),
    ['case-studies/museu-do-sal/en.md:9:1 year: must be a number'],
  ],
  [
    'no front matter',
    { 'guides/fonts/en.md': 'Choose one.\n' },
    ['guides/fonts/en.md:1:1 front matter: must begin with a line ---, its fields, and a line ---'],
  ],
  [
    'front matter without an end',
    guide('---\nChoose', 'Choose'),
    ['guides/fonts/en.md:1:1 front matter: begins with --- and has no further line --- after its fields'],
  ],
  [
    'no body',
    guide('Choose one.\n\n## Then\n\nStop.\n', ' \n\n'),
    ['guides/fonts/en.md:7:1 body: must not be empty'],
  ],
  [
    'a title in the body',
    guide('Choose one.', '\n# Fonts'),
    [
      'guides/fonts/en.md:8:1 body: must begin with text or a ## heading: the title stands in the front matter',
    ],
  ],
  [
    'a control character in the body',
    guide('Stop.', 'Stop\u0000.'),
    ['guides/fonts/en.md:11:5 body: must not hold control characters (U+0000)'],
  ],
  [
    'a lone CR in the body',
    guide('Choose one.\n', 'Choose one.\rTwo.\n'),
    ['guides/fonts/en.md:7:12 body: must not hold control characters (U+000D)'],
  ],
  [
    'an accent apart in the body',
    guide('Stop.', 'Cafe\u0301.'),
    ['guides/fonts/en.md:11:4 body: must be in NFC: letters with their accents as one character'],
  ],
  [
    'a long body',
    guide('Stop.', 'x'.repeat(500_001)),
    ['guides/fonts/en.md:7:1 body: must have at most 500000 characters'],
  ],
  [
    'a huge file',
    guide('Stop.', 'é'.repeat(600_000)),
    ['guides/fonts/en.md:1:1: must have at most 1048576 bytes'],
  ],
  [
    'Latin-1',
    { 'guides/fonts/en.md': Buffer.from(edit(GUIDE, 'Stop', 'Café'), 'latin1') },
    ['guides/fonts/en.md:1:1: must be UTF-8'],
  ],
  [
    'a language that is not',
    { 'guides/fonts/fr.md': GUIDE },
    ["guides/fonts/fr.md:1:1: isn't content: here are files en.md, es.md, pt-PT.md"],
  ],
  [
    'a guide without a folder',
    { 'guides/fonts.md': GUIDE },
    ["guides/fonts.md:1:1: isn't content: here are folders <slug>/ with a file for each language"],
  ],
  [
    'another ending',
    { 'services/shop.yml': SERVICE },
    ["services/shop.yml:1:1: isn't content: here are files <slug>.yaml"],
  ],
  [
    'further facts',
    { 'business/more.yaml': FACTS },
    ["business/more.yaml:1:1: isn't content: here are files facts.yaml"],
  ],
  [
    'synonyms of no language',
    { 'synonyms/fr.yaml': 'groups: []\n' },
    ["synonyms/fr.yaml:1:1: isn't content: here are files en.yaml, es.yaml, pt-PT.yaml"],
  ],
  [
    'a synonym alone',
    { 'synonyms/en.yaml': 'groups:\n  - [shop]\n' },
    ['synonyms/en.yaml:2:5 groups.0: must have at least 2 items'],
  ],
  [
    'a synonym twice, in whatever form',
    { 'synonyms/es.yaml': 'groups:\n  - [Traducción, tienda, traducciones]\n' },
    ['synonyms/es.yaml:2:26 groups.0.2: stands here a second time'],
  ],
  [
    'a synonym of punctuation',
    { 'synonyms/en.yaml': 'kinds: { service: ["?!"] }\ngroups: []\n' },
    ['synonyms/en.yaml:1:20 kinds.service.0: must have letters or digits'],
  ],
  [
    'a kind that is not',
    { 'synonyms/en.yaml': 'kinds: { person: [people] }\ngroups: []\n' },
    ['synonyms/en.yaml:1:10 kinds.person: is not a known field'],
  ],
  [
    'questions for a type that is not',
    { 'synonyms/en.yaml': 'asks: [{ types: [person], phrases: [who] }]\ngroups: []\n' },
    [
      'synonyms/en.yaml:1:18 asks.0.types.0: must be one of "service", "case-study", "product", "business", "guide"',
    ],
  ],
  [
    'a folder that is not',
    { 'service/shop.yaml': SERVICE },
    ["service:1:1: isn't content: see content/README.md"],
  ],
  [
    'a publisher with a path',
    { 'publisher.yaml': 'name: A\nwebsite: https://a.example/\n' },
    ['publisher.yaml:2:1 website: must be an https address without a path or a last slash'],
  ],
  [
    'an order of its own in a translation',
    {
      'case-studies/museu-do-sal/es.md': edit(
        edit(CASE_STUDY, 'order: 1', 'order: 2'),
        'path: /',
        'path: /es/',
      ),
    },
    ['case-studies/museu-do-sal/es.md:5:1 order: must be 1 as in content/case-studies/museu-do-sal/en.md'],
  ],
  [
    'a path of another record, though neither is public',
    {
      'products/maré.yaml': edit(PRODUCT, 'order: 1', 'order: 1\npublic: false'),
      'guides/maré/pt-PT.md': edit(GUIDE, 'path: /guides/fonts', 'public: false\npath: /pt/produtos/maré'),
    },
    ['guides/maré/pt-PT.md:5:1 path: is also that of content/products/maré.yaml:7'],
  ],
];

test.each(ELSEWHERE)('%s', async (_, files, expected) => {
  expect(await faultsOf({ ...SOUND, ...files })).toEqual(expected.map((line) => `content/${line}`));
});

test.each(['Fonts', 'web_fonts', 'a--b', '-a', 'a b', 'cafe\u0301', 'x'.repeat(81)])(
  '%s is no slug',
  async (slug) => {
    const rule =
      'its name must be a slug: lower-case letters (NFC) and digits, joined by single hyphens, at most 80 characters';
    expect(await faultsOf({ ...SOUND, [`guides/${slug}/en.md`]: GUIDE })).toEqual([
      `content/guides/${slug}:1:1: ${rule}`,
    ]);
    expect(await faultsOf({ ...SOUND, [`services/${slug}.yaml`]: SERVICE })).toEqual([
      `content/services/${slug}.yaml:1:1: ${rule}`,
    ]);
  },
);

test('all faults of all files are reported, in order', async () => {
  const found = await faultsOf({
    ...service('order: 1', 'order: 0'),
    ...guide('title: Fonts', 'title: 3'),
    ...study('Museums', '""'),
    'guides/fonts/es.md': '',
  });
  expect(found.map((line) => line.split(' ')[0])).toEqual([
    'content/case-studies/museu-do-sal/en.md:8:1',
    'content/guides/fonts/en.md:2:1',
    'content/guides/fonts/es.md:1:1',
    'content/publisher.yaml:1:1:',
    'content/services/online-shop.yaml:1:1',
  ]);
});

test('guides are published though a service is broken, and not though a hidden guide is', async () => {
  const hidden = edit(GUIDE, 'path: /guides/fonts', 'path: /guides/other\npublic: false');
  const files = { ...SOUND, ...service('order: 1', 'order: 0'), 'guides/other/en.md': hidden };
  expect((await readGuides(await makeContent(files))).map(({ slug }) => slug)).toEqual(['fonts']);
  const broken = { ...files, 'guides/other/en.md': edit(hidden, 'title: Fonts', 'title:') };
  await expect(readGuides(await makeContent(broken))).rejects.toThrow('guides/other/en.md:2:1 title');
});

test('what editors leave is passed over, and so is an empty folder', async () => {
  const left = {
    'guides/fonts/.en.md.swp': '',
    'guides/fonts/en.md~': '',
    'services/#a.yaml#': '',
    '.DS_Store': '',
  };
  const { entries } = await readContent(await makeContent({ ...SOUND, ...left }));
  expect(entries).toHaveLength(5);
});
