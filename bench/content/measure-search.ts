/** Measures search on much content in the V8 of Node.js, since workerd doesn't report CPU time. */
import generated from '../../content/catalogue.generated.json' with { type: 'json' };
import { loadCatalogue } from '../../lib/content/load-catalogue.ts';
import { rank } from '../../lib/content/rank.ts';
import { buildIndex, loadIndex } from '../../lib/content/search-index.ts';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import { median } from '../median.ts';
import { printTable, whole } from '../print-table.ts';
import { makeItems } from './made-up-items.ts';
import { QUERIES } from './real-queries.ts';

const ITEMS = 5000;
const AIM_MS = 5;
/** Runs per query, after as many warm-up runs. */
const RUNS = 20;
const KIB = 1024;

interface Measured {
  language: Language;
  bytes: number;
  terms: number;
  loadMs: number;
  queries: { query: string; found: number; ms: number }[];
}

/** CPU milliseconds of real queries over 5,000 items per language, and the size of their index. */
export async function measureSearch(): Promise<void> {
  const measured = await Promise.all(LANGUAGES.map(measureLanguage));
  const queries = measured.flatMap((one) => one.queries).sort((a, b) => b.ms - a.ms);
  const [worst] = queries;
  if (worst === undefined) throw new Error('no queries');
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  printTable(
    `A search over ${whole(ITEMS)} items, CPU in Node ${process.versions.node}, ${queries.length} queries`,
    [
      {
        what: 'median of the queries',
        figure: ms(median(queries.map((query) => query.ms))),
        aim: `under ${AIM_MS} ms`,
      },
      {
        what: 'the worst of them',
        figure: ms(worst.ms),
        baseline: `“${shorten(worst.query)}”, ${whole(worst.found)} found`,
        aim: `under ${AIM_MS} ms`,
      },
      ...measured.map(({ language, loadMs, bytes, terms }) => ({
        what: `loading the index, ${language}`,
        figure: ms(loadMs),
        baseline: `${whole(bytes / KIB)} KiB of JSON, ${whole(terms)} words`,
      })),
    ],
  );
}

async function measureLanguage(language: Language): Promise<Measured> {
  const lexicon = loadCatalogue(generated).lexicon(language);
  const items = await makeItems(language, ITEMS);
  const json = JSON.stringify(buildIndex(items, lexicon));
  const loads = Array.from({ length: 3 }, () => cpuMs(() => loadIndex(JSON.parse(json))));
  const indexes = [loadIndex(JSON.parse(json))];
  const search = (query: string): string[] => rank({ indexes, query, lexicon, accept: () => true });
  return {
    language,
    bytes: Buffer.byteLength(json),
    terms: buildIndex(items, lexicon).terms.length,
    loadMs: median(loads),
    queries: QUERIES[language].map((query) => {
      const found = repeat(() => search(query));
      return { query, found: found.length, ms: cpuMs(() => repeat(() => search(query))) / RUNS };
    }),
  };
}

/** Includes garbage collection on other threads. */
function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function repeat<T>(run: () => T): T {
  for (let n = 1; n < RUNS; n++) run();
  return run();
}

const shorten = (query: string): string => (query.length > 40 ? `${query.slice(0, 40)}…` : query);
