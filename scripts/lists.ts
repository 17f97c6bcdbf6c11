/**
 * `npm run lists`: imports the public lists of sources and spammers from GitHub, or from local files with `--from FOLDER`. Only this
 * script needs the network. The operator commits its output to their own repository.
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
