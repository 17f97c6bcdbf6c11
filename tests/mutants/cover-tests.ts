import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../tooling/deployment.ts';
import { eachOf, progress } from './each-of.ts';
import type { RunnerProcess } from './runner-process.ts';
import type { CoveredFile } from './test-runner.ts';

/** Test files that a worker runs one after the other. */
const CHUNK = 8;
const SECONDS = 900;

/** Runs tests once without a mutant, to learn which mutants they reach. What `known` has of files that haven't changed isn't asked again. */
export async function coverTests(
  runners: readonly RunnerProcess[],
  known: readonly CoveredFile[],
): Promise<CoveredFile[]> {
  const list = await runners[0]?.ask<{ files: string[] }>({ kind: 'list' }, SECONDS);
  const hashes = new Map<string, string>();
  for (const path of list?.files ?? []) hashes.set(path, await hashOf(path));
  const covered = known.filter(({ path, hash }) => hashes.get(path) === hash);
  const files = [...hashes.keys()].filter((path) => !covered.some((file) => file.path === path));
  // A worker runs files of one project.
  const kinds = Object.values(Object.groupBy(files, (path) => String(path.includes('.database.'))));
  const chunks = kinds.flatMap((of = []) =>
    Array.from({ length: Math.ceil(of.length / CHUNK) }, (_, n) => of.slice(n * CHUNK, (n + 1) * CHUNK)),
  );
  await eachOf(chunks, runners, async (chunk, runner) => {
    const answer = await runner.ask<{ covered: Omit<CoveredFile, 'hash'>[] }>(
      { kind: 'cover', files: chunk },
      SECONDS,
    );
    for (const file of answer?.covered ?? []) covered.push({ ...file, hash: hashes.get(file.path) ?? '' });
    progress(`tests without a mutant: ${covered.length} of ${hashes.size} files`);
  });
  for (const path of hashes.keys())
    if (!covered.some((file) => file.path === path && file.passed))
      console.log(`\nleft out, since it fails without a mutant: ${path}`);
  return covered;
}

const hashOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(join(ROOT, path)))
    .digest('base64url');
