/**
 * `node scripts/schema.ts [--check]`: writes `schema.sql`, the database as it is after all migrations, or says that it is out of date.
 * Its first lines have a hash of what it is made from and one of the rest, so that a check needs no database. Also writes the number of the last
 * migration into `lib/version.ts`.
 */
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { startNeon } from '../tooling/neon/start-neon.ts';
import { applySchema } from '../tooling/schema/apply-schema.ts';
import { readSchema } from '../tooling/schema/read-schema.ts';
import { writeGenerated } from '../tooling/write-generated.ts';
import { readFunctions } from './schema/read-functions.ts';
import { readTables } from './schema/read-tables.ts';
import { renderSchema } from './schema/render-schema.ts';

const OUTPUT = join(ROOT, 'schema.sql');
const VERSION = join(ROOT, 'lib/version.ts');

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const sources = globSync(['schema/**/*.sql', 'scripts/schema/*.ts'], { cwd: ROOT }).sort();
const texts = await Promise.all(sources.map((source) => readFile(join(ROOT, source), 'utf8')));

const document = (body: string): string =>
  `-- The whole database as it is now, to be read. schema/ is what npm run db:apply applies, and has the bodies of the functions.
-- Written by npm run generate. Made from: ${hashOf(texts.join('\n'))}. What follows: ${hashOf(body)}.

${body}
`;

const { length } = (await readSchema()).migrations;
const version = await readFile(VERSION, 'utf8');
await writeGenerated(VERSION, version.replace(/(?<=MIGRATION = )\d+/, String(length)));

const present = await readFile(OUTPUT, 'utf8').catch(() => '');
if (present !== document(present.split('\n').slice(3, -1).join('\n')))
  await writeGenerated(OUTPUT, document(await makeBody()));

async function makeBody(): Promise<string> {
  const neon = await startNeon({ database: 'memory' });
  try {
    const tables = await neon.withClient(async (client) => {
      await applySchema(client);
      return readTables(client);
    });
    const files = sources.flatMap((source, index) =>
      source.startsWith('schema/functions/') ? [readFunctions(source, texts[index] ?? '')] : [],
    );
    return renderSchema(tables, files);
  } finally {
    await neon.close();
  }
}
