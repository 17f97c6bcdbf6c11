/**
 * `node scripts/openapi.ts [--check]`: writes each service's OpenAPI document from its functions' contracts, and the dashboard's typed
 * client; or checks that they are up to date.
 */
import { join } from 'node:path';
import { VERSION } from '../lib/version.ts';
import { ROOT } from '../tooling/deployment.ts';
import { writeGenerated } from '../tooling/write-generated.ts';
import { readContracts } from './openapi/contracts.ts';
import { buildDocument } from './openapi/document.ts';
import { renderClient } from './openapi/render-client.ts';
import { analytics, services } from './openapi/services.ts';

const CLIENT = 'web/app/api/operations.generated.ts';

for (const service of services) {
  const document = buildDocument(service, await readContracts(service), VERSION);
  await writeGenerated(join(ROOT, service.file), `${JSON.stringify(document, null, 2)}\n`);
  if (service === analytics) await writeGenerated(join(ROOT, CLIENT), renderClient(document));
}
