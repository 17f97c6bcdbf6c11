/**
 * `npm run content:build [-- --check] [-- --strict]`: validates `content/` and writes its catalogue, or checks that the catalogue is up
 * to date. Prints warnings; with `--strict` they are refused, and nothing is written.
 */
import { join } from 'node:path';
import { writeCatalogue } from '../tooling/content/write-catalogue.ts';
import { ROOT } from '../tooling/deployment.ts';

try {
  const summary = await writeCatalogue(join(ROOT, 'content'), {
    strict: process.argv.includes('--strict'),
    now: Date.now(),
    warn: (line) => console.error(line),
  });
  console.log(summary);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
