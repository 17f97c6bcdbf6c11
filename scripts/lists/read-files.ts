import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Origin } from './list-origins.ts';

const TIMEOUT_MS = 30_000;

/**
 * The text of each file of the origins, from a folder with these files or from GitHub.
 *
 * @throws if a file is missing or its checksum differs
 */
export async function readFiles(
  origins: readonly Origin[],
  folder: string | undefined,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { repository, commit, files } of origins) {
    for (const { name, sha256 } of files) {
      const text =
        folder === undefined
          ? await download(`https://raw.githubusercontent.com/${repository}/${commit}/${name}`)
          : await readFile(join(folder, name), 'utf8');
      const found = createHash('sha256').update(text).digest('hex');
      if (found !== sha256) throw new Error(`${name} isn't that of ${commit}: its SHA-256 is ${found}`);
      texts.set(name, text);
    }
  }
  return texts;
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.text();
}
