/** `node web/account/build-pages.ts [--check]`: builds the script of the account pages, or checks that it is up to date. */
import { join } from 'node:path';
import { ROOT } from '../../tooling/deployment.ts';
import { writeGenerated } from '../../tooling/write-generated.ts';
import { BUDGET_BYTES, bundlePages } from './bundle-pages.ts';

const { source, gzipBytes } = await bundlePages();
process.stdout.write(`account-pages.js: ${gzipBytes} bytes gzipped of ${BUDGET_BYTES}\n`);
if (gzipBytes > BUDGET_BYTES) process.exitCode = 1;
else await writeGenerated(join(ROOT, 'functions/account/assets/account-pages.js'), source);
