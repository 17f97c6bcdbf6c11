/** `node packages/sdk-node/build-package.ts`: builds `dist/`, the npm package. */
import { fileURLToPath } from 'node:url';
import { bundlePackage } from './bundle-package.ts';

await bundlePackage(fileURLToPath(new URL('dist', import.meta.url)));
