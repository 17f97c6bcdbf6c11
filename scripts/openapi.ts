/** `node scripts/openapi.ts [--check]`: writes each service's OpenAPI document from its functions' contracts, or tells whether they are up to date. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { writeGenerated } from '../tooling/write-generated.ts';
import { readContracts } from './openapi/contracts.ts';
import { buildDocument } from './openapi/document.ts';
import { services } from './openapi/services.ts';

const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
for (const service of services) {
  const document = buildDocument(service, await readContracts(service), version);
  await writeGenerated(join(ROOT, service.file), `${JSON.stringify(document, null, 2)}\n`);
}
