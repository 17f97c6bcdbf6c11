/**
 * `node scripts/check-words.ts`: finds phrases that an engineer whose first language isn't English has to read twice (CONTRIBUTING.md#ground-rules).
 * Ends with 1 if it finds any.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { listFiles } from './check-docs/list-files.ts';

interface Rule {
  phrase: RegExp;
  /** What to write instead. */
  write: string;
  /** Files in which the phrase is right, with the reason above each. */
  except?: readonly RegExp[];
}

/** One word, also as a part of a name in camel case. Names in snake case are columns and functions of the database. */
const word = (plain: string): RegExp => {
  const capital = plain[0]?.toUpperCase() + plain.slice(1);
  return new RegExp(`(?<![A-Za-z_])(?:${plain}|${capital})(?![a-z_])|(?<=[a-z])${capital}(?![a-z])`);
};

const RULES: readonly Rule[] = [
  { phrase: /\bso many\b/i, write: 'the name of the number: up to `max_rows`, a number of' },
  { phrase: /\bsuch as have\b/i, write: 'that have' },
  { phrase: /\bso it is of\b/i, write: 'the same holds for' },
  { phrase: /\bso long (?:at least|before|after|ago|passes)\b/i, write: 'minimum time, within this time' },
  { phrase: /\b(?:for|after) so long\b(?! as)/i, write: 'for this time' },
  { phrase: /\buntil when\b/i, write: 'end of, the instant at which' },
  { phrase: /\bof which nothing\b/i, write: 'without' },
  { phrase: /\bworks which\b/i, write: 'jobs that' },
  { phrase: /\bin (?:the )?places? of\b/i, write: 'instead of' },
  {
    // `toldAt` is a field of the API.
    phrase: word('told(?!At)'),
    write: 'reported, answered, shown, named',
    except: [
      // The column of rollup_vitals.
      /^schema\/functions\/(?:measure-blocks|values)\.sql$/,
      /^lib\/analytics\/measures\/vitals-of-sums\.ts$/,
      /^tests\/ingest\/(?:site-rows|values\.database\.test)\.ts$/,
      // A note that is stored with imports of Plausible.
      /^lib\/imports\/readers\/plausible\.ts$/,
    ],
  },
  {
    phrase: word('places?'),
    write:
      'index, position, row, slot, path, environment: whatever it is; `place` is a country, region and city',
    except: [
      // The dictionary of countries, regions and cities. Also names in signatures, which functions keep when they are made anew.
      /^schema\/functions\//,
      /^lib\/(?:collection|privacy-report|visitor-data|visits)\/|^lib\/analytics\/reading\/shared-visits\.ts$/,
      /^functions\/(?:analytics\/sample-meta|sites\/visitor-examples|track\/(?:admit|edge))\.ts$/,
      /^web\/app\/(?:views\/site|world)\/|^web\/app\/state\/use-site-query\.ts$/,
      /^bench\/reports\/|^dev\/demo\/visitor-countries\.ts$|^dev\/demo\/generate-visit\.ts$/,
      /^docs\/(?:counting|dashboard|glossary|limits|privacy|recipes\/dimension)\.md$/,
      /^tests\/(?:ingest|lib\/collection|lib\/privacy-report|oracle)\//,
      /^tests\/(?:browser\/dashboard|functions\/track|upgrades)\/|^tests\/functions\/sites\/visitors/,
      // A field of the database's answer, which functions of earlier releases read.
      /^lib\/telemetry\/(?:quota-refusals|store-batch)\.ts$/,
    ],
  },
];

const TEXT = /\.(ts|tsx|js|mjs|sql|md)$/;
/** Texts for readers of a made-up agency, texts of pages, what is released, what is generated, and this list. */
const SKIPPED =
  /^content\/|^web\/app\/words\/|front-words|\/releases\/|\.generated\.|^schema\/migrations\/|^schema\.sql$|^CHANGELOG\.md$|assets\/|check-words/;

const paths = (await listFiles(ROOT)).filter((path) => TEXT.test(path) && !SKIPPED.test(path));
for (const path of paths) {
  const rules = RULES.filter(({ except = [] }) => !except.some((right) => right.test(path)));
  const lines = (await readFile(join(ROOT, path), 'utf8')).split('\n');
  for (const [index, line] of lines.entries())
    for (const { phrase, write } of rules) {
      const found = phrase.exec(line)?.[0];
      if (found === undefined) continue;
      console.error(`${path}:${index + 1}: “${found}”: write ${write}`);
      process.exitCode = 1;
    }
}
