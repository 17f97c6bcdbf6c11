/**
 * `npm run sdk:verify -- https://vendor.example [version]`: whether a host's archive holds what its manifest says, and what this checkout builds. Prints
 * the line that installs the version, pinned.
 */
import { verifyArchive } from './sdk/verify-archive.ts';

try {
  const [url, version] = process.argv.slice(2);
  if (url === undefined || !URL.canParse(url))
    throw new Error('Which host? npm run sdk:verify -- https://vendor.example [version]');
  for (const line of await verifyArchive(url, version)) console.log(line);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
