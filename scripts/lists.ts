/**
 * `npm run lists`: takes the public lists of sources and spammers, from GitHub or, with `--from FOLDER`, from files at hand.
 * Nothing else here needs the network, and what it writes belongs into the repository of who runs the service.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createNaming } from '../lib/visits/known-sources.ts';
import { ROOT } from './lib/deployment.ts';
import { writeGenerated } from './lib/generated.ts';
import { ORIGINS } from './lib/lists/origins.ts';
import { readFiles } from './lib/lists/read-files.ts';
import { readPublicLists } from './lib/lists/read-public-lists.ts';
import { renderPublicLists } from './lib/lists/render.ts';

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const ours = createNaming();
const lists = readPublicLists(
  await readFiles(ORIGINS, values.from),
  (host) => ours.ofHost(host) !== undefined,
);
await writeGenerated(join(ROOT, 'lib/visits/lists/public.generated.ts'), renderPublicLists(lists, ORIGINS));
