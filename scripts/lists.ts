/**
 * `npm run lists`: takes the public lists of sources and spammers, from GitHub or, with `--from FOLDER`, from files at hand.
 * Nothing else here needs the network, and what it writes belongs into the repository of who runs the service.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createNaming } from '../lib/collection/known-sources.ts';
import { ROOT } from '../tooling/deployment.ts';
import { writeGenerated } from '../tooling/write-generated.ts';
import { ORIGINS } from './lists/list-origins.ts';
import { readFiles } from './lists/read-files.ts';
import { readPublicLists } from './lists/read-public-lists.ts';
import { renderPublicLists } from './lists/render-lists.ts';

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const ours = createNaming();
const lists = readPublicLists(
  await readFiles(ORIGINS, values.from),
  (host) => ours.ofHost(host) !== undefined,
);
await writeGenerated(
  join(ROOT, 'lib/collection/lists/public.generated.ts'),
  renderPublicLists(lists, ORIGINS),
);
