/** `node scripts/openapi.ts [--check]`: writes the OpenAPI document from the functions' contracts, or tells whether it is up to date. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './lib/deployment.ts';
import { writeGenerated } from './lib/generated.ts';
import { readContracts } from './lib/openapi/contracts.ts';
import { buildDocument } from './lib/openapi/document.ts';

const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const document = buildDocument(await readContracts(), version);
await writeGenerated(
  join(ROOT, 'functions/docs/openapi.generated.json'),
  `${JSON.stringify(document, null, 2)}\n`,
);
