import { join } from 'node:path';
import { writeGenerated } from '../write-generated.ts';
import { buildCatalogue, formatCatalogue } from './build-catalogue.ts';
import { showFault } from './fault.ts';
import { findWarnings } from './find-warnings.ts';
import { readContent } from './read-content.ts';
import { summarise } from './summarise.ts';

interface Options {
  /** Refuses warnings. */
  strict: boolean;
  /** Epoch milliseconds. */
  now: number;
  /** Receives each warning as a line. */
  warn(line: string): void;
}

/**
 * Validates a content folder (absolute path) and writes its catalogue into it. Returns a summary for people. Throws `ContentFaults`, and
 * with `strict` an `Error` if there are warnings; nothing is written then.
 */
export async function writeCatalogue(root: string, { strict, now, warn }: Options): Promise<string> {
  const content = await readContent(root);
  const warnings = findWarnings(content, now);
  for (const warning of warnings) warn(`warning: ${showFault(warning)}`);
  if (strict && warnings.length > 0) throw new Error('Nothing is written: --strict refuses warnings.');
  const catalogue = await buildCatalogue(content);
  await writeGenerated(join(root, 'catalogue.generated.json'), formatCatalogue(catalogue));
  return summarise(content.entries);
}
