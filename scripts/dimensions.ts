/**
 * `node scripts/dimensions.ts [--check]`: writes what the database and docs/reports.md have of lib/visits/dimensions.ts, and what the database
 * has of the gap between visits, or says that it is out of date. Ends with 1 if two dimensions have one number, or if the changelog doesn't name one.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OTHER_DIMENSIONS, VISIT_DIMENSIONS } from '../lib/visits/dimensions.ts';
import { ROOT } from '../tooling/deployment.ts';
import { writeGenerated } from '../tooling/write-generated.ts';
import { insertDimensions } from './dimensions/insert-dimensions.ts';
import { isLater, renderDimensions } from './dimensions/render-dimensions.ts';

await writeGenerated(join(ROOT, 'schema/functions/dimensions.generated.sql'), renderDimensions());

const REPORTS = join(ROOT, 'docs/reports.md');
await writeGenerated(REPORTS, insertDimensions(await readFile(REPORTS, 'utf8')));

const numbers = new Map<number, string>();
for (const { name, number } of [...VISIT_DIMENSIONS, ...OTHER_DIMENSIONS]) {
  const other = numbers.get(number);
  numbers.set(number, name);
  if (other === undefined) continue;
  console.error(`${other} and ${name} have the same number ${number} in lib/visits/dimensions.ts.`);
  process.exitCode = 1;
}

const changelog = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8');
for (const { name } of VISIT_DIMENSIONS.filter(isLater)) {
  if (changelog.includes(`\`${name}\``)) continue;
  console.error(`CHANGELOG.md doesn't name the dimension \`${name}\`.`);
  process.exitCode = 1;
}
