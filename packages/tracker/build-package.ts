/** `node packages/tracker/build-package.ts`: makes `dist/`, what the npm package has for bundlers. */
import { fileURLToPath } from 'node:url';
import { bundlePackage } from './bundle-package.ts';

await bundlePackage(fileURLToPath(new URL('dist', import.meta.url)));
