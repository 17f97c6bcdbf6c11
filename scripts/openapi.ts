/**
 * `node scripts/openapi.ts [--check]`: writes each service's OpenAPI document from its functions' contracts, or checks that the
 * documents are up to date.
 */
import { join } from 'node:path';
import { VERSION } from '../lib/version.ts';
import { ROOT } from '../tooling/deployment.ts';
import { writeGenerated } from '../tooling/write-generated.ts';
import { readContracts } from './openapi/contracts.ts';
import { buildDocument } from './openapi/document.ts';
import { services } from './openapi/services.ts';

for (const service of services) {
  const document = buildDocument(service, await readContracts(service), VERSION);
  await writeGenerated(join(ROOT, service.file), `${JSON.stringify(document, null, 2)}\n`);
}
