/** `node web/app/world/build-shapes.ts [--check]`: makes the map of the dashboard. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../../tooling/deployment.ts';
import { writeGenerated } from '../../../tooling/write-generated.ts';
import { shapeCountries } from './shape-countries.ts';

const read = async (url: string): Promise<unknown> => JSON.parse(await readFile(fileURLToPath(url), 'utf8'));

const { width, height, paths, points } = shapeCountries(
  await read(import.meta.resolve('world-atlas/countries-110m.json')),
  await read(import.meta.resolve('world-atlas/countries-50m.json')),
);
const exported = Object.entries({ WIDTH: width, HEIGHT: height, PATHS: paths, POINTS: points });
await writeGenerated(
  join(ROOT, 'web/app/world/country-shapes.generated.ts'),
  `// Made by \`node web/app/world/build-shapes.ts\`.
${exported.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`).join('')}`,
);
