/** `npm run content:build [-- --check]`: validates `content/` and writes its catalogue, or checks that the catalogue is up to date. */
import { join } from 'node:path';
import { buildCatalogue, formatCatalogue } from '../tooling/content/build-catalogue.ts';
import { ContentFaults } from '../tooling/content/fault.ts';
import { readContent } from '../tooling/content/read-content.ts';
import { summarise } from '../tooling/content/summarise.ts';
import { ROOT } from '../tooling/deployment.ts';
import { writeGenerated } from '../tooling/write-generated.ts';

const FOLDER = join(ROOT, 'content');

try {
  const content = await readContent(FOLDER);
  await writeGenerated(
    join(FOLDER, 'catalogue.generated.json'),
    formatCatalogue(await buildCatalogue(content)),
  );
  console.log(summarise(content.entries));
} catch (error) {
  if (!(error instanceof ContentFaults)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
