/** Records that consist of a folder with one Markdown file per language. */
import type * as v from 'valibot';
import type { ContentType } from '../../lib/content/catalogue.ts';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import { checkYaml } from './check-yaml.ts';
import type { Entry } from './entry.ts';
import type { Report } from './fault.ts';
import { splitFrontMatter } from './front-matter.ts';
import { listFolder, positionAt, type Reading, readSource, reportFile, type Source } from './read-source.ts';
import { checkSlug, textsIn } from './read-structured.ts';
import { findTextFault } from './text-rules.ts';
import { parseYaml } from './yaml-document.ts';

const MAX_BODY_CHARACTERS = 500_000;

interface Front {
  title: string;
  description: string;
  path: string;
  updated?: string | undefined;
  public: boolean;
}

export interface PageKind<Fields extends Front> {
  type: ContentType;
  folder: string;
  schemas: Record<Language, v.GenericSchema<unknown, Fields>>;
  /** The fields of an entry that aren't in its front matter. */
  finish(fields: Fields, body: string, language: Language): Pick<Entry, 'order' | 'keywords' | 'text'>;
}

/** Reads every file of a kind. Reports and skips invalid files. */
export async function readPages<Fields extends Front>(
  reading: Reading,
  kind: PageKind<Fields>,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const found of await listFolder(reading, kind.folder)) {
    const path = `${kind.folder}/${found.name}`;
    if (!found.isDirectory()) {
      reportFile(reading, path, "isn't content: here are folders <slug>/ with a file for each language");
    } else if (checkSlug(reading, path, found.name)) {
      entries.push(...(await readFolder(reading, kind, path, found.name)));
    }
  }
  return entries;
}

async function readFolder<Fields extends Front>(
  reading: Reading,
  kind: PageKind<Fields>,
  folder: string,
  slug: string,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const found of await listFolder(reading, folder)) {
    const path = `${folder}/${found.name}`;
    const language = LANGUAGES.find((each) => found.name === `${each}.md`);
    if (language === undefined || !found.isFile()) {
      reportFile(
        reading,
        path,
        `isn't content: here are files ${LANGUAGES.map((each) => `${each}.md`).join(', ')}`,
      );
    } else {
      const entry = await readPage(reading, kind, path, slug, language);
      if (entry !== undefined) entries.push(entry);
    }
  }
  return entries;
}

async function readPage<Fields extends Front>(
  reading: Reading,
  { type, schemas, finish }: PageKind<Fields>,
  path: string,
  slug: string,
  language: Language,
): Promise<Entry | undefined> {
  const source = await readSource(reading, path);
  const parts = source && splitFrontMatter(source, reading.report);
  if (parts === undefined) return undefined;
  const body = checkBody(parts.body, reading.report);
  const document = parseYaml(parts.front, reading.report);
  const fields = document && checkYaml(schemas[language], document, reading.report);
  if (document === undefined || fields === undefined || body === undefined) return undefined;
  const { title, description, updated } = fields;
  const at = body.at;
  reading.addText({
    text: body.text,
    language,
    path: fields.path,
    positionOf: (index) => ({ file: parts.body.file, ...positionAt(parts.body, at + index), field: 'body' }),
  });
  for (const { text, field } of textsIn(fields))
    reading.addText({ text, language, path: fields.path, positionOf: () => document.locate(field) });
  return {
    ...{ type, slug, language, title, description, updated },
    path: fields.path,
    isPublic: fields.public,
    ...finish(fields, body.text, language),
    locate: (field, ...item) => document.locate([field, ...item]),
  };
}

/** The body without leading and trailing empty lines, and where it begins. Reports its faults. */
function checkBody(source: Source, report: Report): { text: string; at: number } | undefined {
  const body = source.text.replace(/^(\s*\n)+/, '').trimEnd();
  const start = source.text.indexOf(body);
  const broken = findBodyFault(body);
  if (broken === undefined) return { text: body, at: start };
  report({
    file: source.file,
    ...positionAt(source, start + broken.index),
    field: 'body',
    rule: broken.rule,
  });
  return undefined;
}

function findBodyFault(body: string): { rule: string; index: number } | undefined {
  if (body === '') return { rule: 'must not be empty', index: 0 };
  if (body.length > MAX_BODY_CHARACTERS)
    return { rule: `must have at most ${MAX_BODY_CHARACTERS} characters`, index: 0 };
  if (/^# /.test(body)) {
    return { rule: 'must begin with text or a ## heading: the title stands in the front matter', index: 0 };
  }
  return findTextFault(body);
}
