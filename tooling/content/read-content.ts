/** Reads and validates all of `content/`. */
import { basename } from 'node:path';
import { CONTENT_TYPES } from '../../lib/content/catalogue.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { checkYaml } from './check-yaml.ts';
import { compareText } from './compare-text.ts';
import type { Content, Entry } from './entry.ts';
import { ContentFaults, type Fault, type Report } from './fault.ts';
import type { FoundText } from './markdown-texts.ts';
import { readPages } from './read-pages.ts';
import { listFolder, type Reading, readSource, reportFile } from './read-source.ts';
import { readStructured } from './read-structured.ts';
import { readSynonyms } from './read-synonyms.ts';
import {
  CaseStudyFront,
  FactsFile,
  GuideFront,
  NamesFile,
  ProductFile,
  Publisher,
  ServiceFile,
} from './record-schemas.ts';
import { renderCaseStudy, renderFacts, renderProduct, renderService } from './render-markdown.ts';
import { parseYaml } from './yaml-document.ts';

type Reader = (reading: Reading) => Promise<Entry[]>;

const PUBLISHER = 'publisher.yaml';
const NAMES = 'names.yaml';
const KNOWN = new Set([
  ...['services', 'products', 'business', 'case-studies', 'guides', 'synonyms'],
  ...[PUBLISHER, NAMES, 'README.md', 'catalogue.generated.json', 'catalogue.generated.d.json.ts'],
]);

const readServices: Reader = (reading) =>
  readStructured(reading, {
    type: 'service',
    folder: 'services',
    schema: ServiceFile,
    render: renderService,
  });

const readProducts: Reader = (reading) =>
  readStructured(reading, {
    type: 'product',
    folder: 'products',
    schema: ProductFile,
    render: renderProduct,
  });

const readBusiness: Reader = (reading) =>
  readStructured(reading, {
    ...{ type: 'business', folder: 'business', only: 'facts' },
    schema: FactsFile,
    render: renderFacts,
  });

const readCaseStudies: Reader = async (reading) => {
  const entries = await readPages(reading, {
    type: 'case-study',
    folder: 'case-studies',
    schemas: CaseStudyFront,
    finish: (study, body, language) => ({
      order: study.order,
      keywords: study.keywords,
      text: renderCaseStudy(study, body, language),
    }),
  });
  for (const { slug, order, locate } of entries) {
    const first = entries.find((other) => other.slug === slug);
    if (first === undefined || first.order === order) continue;
    const { file } = first.locate('order');
    reading.report({ ...locate('order'), rule: `must be ${first.order} as in ${file}` });
  }
  return entries;
};

const readGuidePages: Reader = (reading) =>
  readPages(reading, {
    type: 'guide',
    folder: 'guides',
    schemas: GuideFront,
    finish: (_, body) => ({ order: 0, keywords: [], text: body }),
  });

/** Reads a whole content folder (absolute path). Throws `ContentFaults` with all faults in it. */
export const readContent = (root: string): Promise<Content> =>
  read(root, [readServices, readCaseStudies, readProducts, readBusiness, readGuidePages, refuseStrangers]);

/** Reads only the guides and the publisher; other files may be invalid. Throws `ContentFaults`. */
export const readGuideContent = (root: string): Promise<Content> => read(root, [readGuidePages]);

async function read(root: string, readers: readonly Reader[]): Promise<Content> {
  const faults: Fault[] = [];
  const texts: FoundText[] = [];
  const reading: Reading = {
    root,
    report: (fault) => faults.push(fault),
    addText: (text) => texts.push(text),
  };
  const publisher = await readPublisher(reading);
  const synonyms = await readSynonyms(reading);
  const names = await readNames(reading);
  const entries: Entry[] = [];
  for (const reader of readers) entries.push(...(await reader(reading)));
  entries.sort(compareEntries);
  refuseSharedPaths(entries, reading.report);
  if (publisher === undefined || faults.length > 0) throw new ContentFaults(faults);
  return { publisher, entries, synonyms, names, texts };
}

async function readPublisher(reading: Reading): Promise<Content['publisher'] | undefined> {
  const isThere = (await listFolder(reading, '.')).some(({ name }) => name === PUBLISHER);
  if (!isThere) {
    reportFile(reading, PUBLISHER, `is missing from ${basename(reading.root)}/`);
    return undefined;
  }
  const source = await readSource(reading, PUBLISHER);
  const document = source && parseYaml(source, reading.report);
  return document && checkYaml(Publisher, document, reading.report);
}

/** The names of `names.yaml`, if it is there. */
async function readNames(reading: Reading): Promise<Content['names']> {
  if (!(await listFolder(reading, '.')).some(({ name }) => name === NAMES)) return [];
  const source = await readSource(reading, NAMES);
  const document = source && parseYaml(source, reading.report);
  return (document && checkYaml(NamesFile, document, reading.report))?.names ?? [];
}

async function refuseStrangers(reading: Reading): Promise<Entry[]> {
  const strangers = (await listFolder(reading, '.')).filter(({ name }) => !KNOWN.has(name));
  for (const { name } of strangers)
    reportFile(reading, name, `isn't content: see ${basename(reading.root)}/README.md`);
  return [];
}

/** Compares by catalogue order. */
function compareEntries(a: Entry, b: Entry): number {
  return (
    CONTENT_TYPES.indexOf(a.type) - CONTENT_TYPES.indexOf(b.type) ||
    a.order - b.order ||
    compareText(a.slug, b.slug) ||
    LANGUAGES.indexOf(a.language) - LANGUAGES.indexOf(b.language)
  );
}

function refuseSharedPaths(entries: readonly Entry[], report: Report): void {
  const owners = new Map<string, Entry>();
  for (const entry of entries) {
    const owner = owners.get(entry.path)?.locate('path');
    if (owner === undefined) owners.set(entry.path, entry);
    else report({ ...entry.locate('path'), rule: `is also that of ${owner.file}:${owner.line}` });
  }
}
