/** `npm run content:build [-- --check]`: checks `content/` and writes its catalogue, or tells whether that is up to date. */
import { join } from 'node:path';
import { buildCatalogue, formatCatalogue } from './content/build-catalogue.ts';
import { ContentFaults } from './content/fault.ts';
import { readContent } from './content/read-content.ts';
import { summarise } from './content/summarise.ts';
import { ROOT } from './lib/deployment.ts';
import { writeGenerated } from './lib/generated.ts';

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
