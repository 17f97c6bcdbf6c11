/** Records that consist of one YAML file with all languages. */
import type * as v from 'valibot';
import type { ContentType } from '../../lib/content/catalogue.ts';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import { checkYaml } from './check-yaml.ts';
import type { Entry } from './entry.ts';
import { listFolder, type Reading, readSource, reportFile } from './read-source.ts';
import { MAX_SLUG_CHARACTERS, SLUG } from './text-rules.ts';
import { parseYaml } from './yaml-document.ts';

interface Page {
  title: string;
  description: string;
  path: string;
  keywords: readonly string[];
}

interface StructuredFile<Text extends Page> {
  order: number;
  public: boolean;
  updated?: string | undefined;
  languages: { [L in Language]?: Text | undefined };
}

export interface StructuredKind<Text extends Page> {
  type: ContentType;
  folder: string;
  /** The only file name that the folder may contain, without its extension. */
  only?: string;
  schema: v.GenericSchema<unknown, StructuredFile<Text>>;
  render(text: Text, language: Language): string;
}

/** Reads every file of a kind. Reports and skips invalid files. */
export async function readStructured<Text extends Page>(
  reading: Reading,
  kind: StructuredKind<Text>,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const found of await listFolder(reading, kind.folder)) {
    const path = `${kind.folder}/${found.name}`;
    const slug = /^(.+)\.yaml$/.exec(found.name)?.[1];
    if (slug === undefined || !found.isFile() || (kind.only !== undefined && slug !== kind.only)) {
      reportFile(reading, path, `isn't content: here are files ${kind.only ?? '<slug>'}.yaml`);
    } else if (checkSlug(reading, path, slug)) {
      entries.push(...(await readFile(reading, kind, path, slug)));
    }
  }
  return entries;
}

async function readFile<Text extends Page>(
  reading: Reading,
  { type, schema, render }: StructuredKind<Text>,
  path: string,
  slug: string,
): Promise<Entry[]> {
  const source = await readSource(reading, path);
  const document = source && parseYaml(source, reading.report);
  const file = document && checkYaml(schema, document, reading.report);
  if (document === undefined || file === undefined) return [];
  return LANGUAGES.flatMap((language) => {
    const text = file.languages[language];
    if (text === undefined) return [];
    for (const { text: found, field } of textsIn(text, ['languages', language]))
      reading.addText({ text: found, language, path: text.path, positionOf: () => document.locate(field) });
    return {
      type,
      slug,
      language,
      isPublic: file.public,
      order: file.order,
      title: text.title,
      description: text.description,
      path: text.path,
      updated: file.updated,
      keywords: text.keywords,
      text: render(text, language),
      locate: (field, ...item) =>
        document.locate(isOfFile(field) ? [field] : ['languages', language, field, ...item]),
    };
  });
}

const isOfFile = (field: string): boolean => field === 'order' || field === 'updated';

/** Every text within a value, with the path to it. */
export function textsIn(
  value: unknown,
  field: readonly unknown[] = [],
): { text: string; field: readonly unknown[] }[] {
  if (typeof value === 'string') return [{ text: value, field }];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, item]) =>
    textsIn(item, [...field, isList ? Number(key) : key]),
  );
}

/** Whether a name is a valid slug. Reports it if not. */
export function checkSlug(reading: Reading, path: string, slug: string): boolean {
  const isSlug = SLUG.test(slug) && slug.length <= MAX_SLUG_CHARACTERS;
  if (!isSlug) {
    reportFile(
      reading,
      path,
      `its name must be a slug: lower-case letters (NFC) and digits, joined by single hyphens, at most ${MAX_SLUG_CHARACTERS} characters`,
    );
  }
  return isSlug;
}
