import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Catalogue } from '../../../lib/content/catalogue.ts';
import { loadCatalogue } from '../../../lib/content/load-catalogue.ts';
import { rank } from '../../../lib/content/rank.ts';
import { revisionOf } from '../../../lib/content/revision.ts';
import type { Language } from '../../../lib/languages.ts';
import { buildCatalogue, formatCatalogue } from '../../../tooling/content/build-catalogue.ts';
import { readContent } from '../../../tooling/content/read-content.ts';
import { readGuides } from '../../../tooling/content/read-guides.ts';
import { summarise } from '../../../tooling/content/summarise.ts';
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

const build = async (files: Files): Promise<string> =>
  formatCatalogue(await buildCatalogue(await readContent(await makeContent(files))));
const parse = (text: string): Catalogue => JSON.parse(text) as Catalogue;
const serviceAs = (slug: string, order: number): Files => ({
  [`services/${slug}.yaml`]: edit(
    edit(SERVICE, 'order: 1', `order: ${order}`),
    'services/online-shop',
    `services/${slug}`,
  ),
});

test('holds every field of a record', async () => {
  const catalogue = parse(await build(SOUND));
  expect(catalogue.publisher).toEqual({ name: 'Cais Norte', website: 'https://www.caisnorte.example' });
  const [first] = catalogue.records;
  if (first === undefined) throw new Error('there is no record');
  const { revision, text, ...record } = first;
  expect(record).toEqual({
    id: 'service:online-shop:en',
    type: 'service',
    language: 'en',
    title: 'Online shop',
    description: 'A shop for small teams.',
    url: 'https://www.caisnorte.example/services/online-shop',
    updatedAt: '2026-09-30T00:00:00.000Z',
    keywords: ['shop', 'e-commerce'],
  });
  const { keywords, ...rest } = record;
  expect(revision).toBe(await revisionOf({ ...rest, text, keywords }));
});

test('is in catalogue order, and without guides', async () => {
  const files = {
    ...SOUND,
    ...serviceAs('b', 2),
    ...serviceAs('a', 2),
    ...serviceAs('z', 1),
    ...serviceAs('é', 2),
    'case-studies/museu-do-sal/es.md': edit(CASE_STUDY, 'path: /', 'path: /es/'),
  };
  expect(parse(await build(files)).records.map(({ id }) => id)).toEqual([
    'service:online-shop:en',
    'service:z:en',
    'service:a:en',
    'service:b:en',
    'service:é:en',
    'case-study:museu-do-sal:en',
    'case-study:museu-do-sal:es',
    'product:maré:pt-PT',
    'business:facts:es',
  ]);
});

test('an address is escaped, and an unknown day is null', async () => {
  const product = parse(await build(SOUND)).records.find(({ type }) => type === 'product');
  expect(product).toMatchObject({
    url: 'https://www.caisnorte.example/pt/produtos/mar%C3%A9',
    updatedAt: null,
  });
});

test('each language is found in its own index', async () => {
  const catalogue = loadCatalogue(parse(await build(SOUND)));
  const find = (language: Language, query: string) =>
    rank({
      indexes: [catalogue.index(language)],
      query,
      lexicon: catalogue.lexicon(language),
      accept: () => true,
    });
  expect(find('en', 'museum')).toEqual(['case-study:museu-do-sal:en']);
  expect(find('pt-PT', 'mare')).toEqual(['product:maré:pt-PT']);
  expect(find('es', 'oporto')).toEqual(['business:facts:es']);
  expect(find('es', 'museum')).toEqual([]);
});

test('is the same whatever the order of files, their line ends and byte order marks', async () => {
  const expected = await build(SOUND);
  const reversed = Object.fromEntries(Object.entries(SOUND).reverse());
  const windows = Object.fromEntries(
    Object.entries(SOUND).map(([path, text]) => [path, `\ufeff${String(text).replaceAll('\n', '\r\n')}`]),
  );
  expect(await build(reversed)).toBe(expected);
  expect(await build(windows)).toBe(expected);
});

test('a change shows in the revisions of its record and of the catalogue only', async () => {
  const before = parse(await build(SOUND));
  const files = { ...SOUND, 'products/maré.yaml': edit(PRODUCT, 'Sim.', 'Talvez.') };
  const after = parse(await build(files));
  const changed = after.records.filter(({ revision }, index) => revision !== before.records[index]?.revision);
  expect(changed.map(({ id }) => id)).toEqual(['product:maré:pt-PT']);
  expect(after.revision).not.toBe(before.revision);
});

test('what is not public is nowhere', async () => {
  const hidden = {
    'services/zanzibar.yaml': edit(SERVICE, 'order: 1', 'order: 7\npublic: false').replaceAll(
      'shop',
      'zanzibar',
    ),
    'case-studies/museu-do-sal/es.md': edit(CASE_STUDY, 'path: /', 'public: false\npath: /es/zanzibar/'),
    'guides/fonts/es.md': edit(GUIDE, 'path: /', 'public: false\npath: /es/zanzibar/'),
  };
  const files = { ...SOUND, ...hidden };
  expect(await build(files)).toBe(await build(SOUND));
  const guides = await readGuides(await makeContent(files));
  expect(guides.map(({ slug, language }) => `${slug} ${language}`)).toEqual(['fonts en']);
  expect(summarise((await readContent(await makeContent(files))).entries)).toContain(
    'guide: 1 en, 1 es, 0 pt-PT (1 not public); not translated: fonts pt-PT',
  );
});

test('nothing at all is a catalogue too', async () => {
  const catalogue = parse(await build({ 'publisher.yaml': String(SOUND['publisher.yaml']) }));
  expect(catalogue.records).toEqual([]);
  expect(catalogue.indexes.es).toEqual({ ids: [], titleLengths: [], terms: [] });
});

test("this repository's own content is sound", async () => {
  const { entries } = await readContent(`${ROOT}/content`);
  expect(new Set(entries.map(({ type }) => type)).size).toBe(5);
});

/** A line in NFC in any script, without control characters and without spaces at its ends. */
const line = (min: number, max: number) =>
  fc
    .string({ unit: 'grapheme', maxLength: Math.floor(max / 12) })
    .map((text) =>
      text
        .normalize('NFC')
        .replaceAll(/\p{Cc}/gu, '')
        .trim(),
    )
    .map((text) => text || 'x'.repeat(min))
    .filter((text) => text.length >= min && text.length <= max);
const paragraphs = fc.array(line(1, 200), { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n\n'));
const someLines = fc.array(line(1, 200), { minLength: 1, maxLength: 4 });
const service = fc.record({
  title: line(1, 150),
  description: line(1, 300),
  path: fc.constant('/services/any'),
  keywords: fc.array(line(2, 60), { minLength: 2, maxLength: 12 }),
  summary: paragraphs,
  includes: someLines,
  excludes: someLines,
  process: fc.array(fc.record({ step: line(1, 150), detail: line(1, 200) }), { minLength: 1, maxLength: 3 }),
  timeline: line(1, 200),
  price: line(1, 200),
  questions: fc.array(fc.record({ question: line(1, 200), answer: paragraphs }), {
    minLength: 1,
    maxLength: 3,
  }),
});

test('whatever is written in a service is in its record', async () => {
  await fc.assert(
    fc.asyncProperty(service, fc.integer({ min: 1, max: 9999 }), async (en, order) => {
      const root = await makeContent({
        'publisher.yaml': String(SOUND['publisher.yaml']),
        'services/any.yaml': stringify({ order, languages: { en } }),
      });
      const { records } = parse(formatCatalogue(await buildCatalogue(await readContent(root))));
      expect(records).toHaveLength(1);
      const { title, description, keywords } = en;
      expect(records[0]).toMatchObject({ title, description, keywords });
      const parts = [
        ...[en.summary, en.timeline, en.price],
        ...[en.includes, en.excludes].flat(),
        ...en.process.flatMap(({ step, detail }) => [step, detail]),
        ...en.questions.flatMap(({ question, answer }) => [question, answer]),
      ];
      expect(parts.filter((part) => !records[0]?.text.includes(part))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
