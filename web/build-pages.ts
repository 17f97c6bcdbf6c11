/** `node web/build-pages.ts [--check]`: builds the scripts of pages, or checks that they are up to date. */
import { basename, join } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { writeGenerated } from '../tooling/write-generated.ts';
import { bundlePages, PAGE_SCRIPTS } from './bundle-pages.ts';

for (const folder of ['account', 'content'] as const) {
  const { file, budgetBytes } = PAGE_SCRIPTS[folder];
  const { source, gzipBytes } = await bundlePages(folder);
  process.stdout.write(`${basename(file)}: ${gzipBytes} bytes gzipped of ${budgetBytes}\n`);
  if (gzipBytes > budgetBytes) process.exitCode = 1;
  else await writeGenerated(join(ROOT, file), source);
}
