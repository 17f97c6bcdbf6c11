import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';

const Version = v.object({
  version: v.string(),
  file: v.pipe(v.string(), v.description('Its name beside the manifest. What it holds never changes.')),
  bytes: v.pipe(v.number(), v.integer()),
  integrity: v.pipe(v.string(), v.description('`sha512-…` in Base64, as lockfiles have it.')),
  node: v.pipe(v.string(), v.description('Versions of Node.js that it runs on.')),
  deprecated: v.pipe(v.optional(v.string()), v.description('Why it should not be used any more.')),
});

/** The archive's routes for the OpenAPI document. */
export const routes = {
  getSdkManifest: {
    tag: 'SDK',
    auth: 'public',
    method: 'GET',
    path: '/sdk/manifest.json',
    summary: 'The versions of the Node.js SDK that this service hands out',
    description:
      'Each version is a package that npm installs from its address, `/sdk/<file>`. Compare its SHA-512 with `integrity` first, and pin the ' +
      'version: `npm run sdk:verify`. The archive is apart from the package registry. A file: the query is ignored.',
    responses: {
      200: {
        description: 'The newest version first, with a strong ETag.',
        schema: v.object({
          schemaVersion: v.literal(1),
          name: v.string(),
          latest: v.pipe(v.string(), v.description('The newest released version.')),
          versions: v.array(Version),
        }),
      },
      304: { description: 'The caller has it already.' },
    },
    limit: null,
    isFile: true,
  },
} as const satisfies Contracts;
