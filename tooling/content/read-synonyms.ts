import { LANGUAGES, type Language } from '../../lib/languages.ts';
import { checkYaml } from './check-yaml.ts';
import type { Synonyms } from './entry.ts';
import { FILE_START } from './fault.ts';
import { listFolder, type Reading, readSource, reportFile } from './read-source.ts';
import { SynonymsFile } from './record-schemas.ts';
import { parseYaml } from './yaml-document.ts';

const FOLDER = 'synonyms';

/** Reads `synonyms/<language>.yaml`. A language without the file has no synonyms. Reports faults. */
export async function readSynonyms(reading: Reading): Promise<Record<Language, Synonyms>> {
  const found = { en: noSynonyms('en'), es: noSynonyms('es'), 'pt-PT': noSynonyms('pt-PT') };
  for (const { name } of await listFolder(reading, FOLDER)) {
    const path = `${FOLDER}/${name}`;
    const language = LANGUAGES.find((each) => name === `${each}.yaml`);
    if (language === undefined) {
      const files = LANGUAGES.map((each) => `${each}.yaml`).join(', ');
      reportFile(reading, path, `isn't content: here are files ${files}`);
      continue;
    }
    const source = await readSource(reading, path);
    const document = source && parseYaml(source, reading.report);
    const list = document && checkYaml(SynonymsFile[language], document, reading.report);
    if (document === undefined || list === undefined) continue;
    found[language] = { ...list, locate: (group) => document.locate(['groups', group]) };
  }
  return found;
}

const noSynonyms = (language: Language): Synonyms => ({
  kinds: {},
  asks: [],
  common: [],
  groups: [],
  locate: () => ({ file: `content/${FOLDER}/${language}.yaml`, ...FILE_START, field: '' }),
});
