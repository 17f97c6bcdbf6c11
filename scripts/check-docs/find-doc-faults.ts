import { posix } from 'node:path';
import { anchorsOf, codeOf, linksOf } from './markdown.ts';

export interface Repository {
  /** All files, from the root. */
  paths: readonly string[];
  /** The texts of those that are read. */
  texts: ReadonlyMap<string, string>;
}

const MAX_README_BYTES = 10_240;
/** A document that code cites: `docs/reports.md`, `docs/reports.md#filters`. */
const CITATION = /\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g;
/** What the repository publishes for others; its links lead to their website. */
const PUBLISHED = /^content\/.+\//;
/** A file or folder of the repository, without a place for a name in it. */
const REPOSITORY_PATH =
  /^(?:bench|content|dev|docs|functions|lib|packages|schema|scripts|tests|tooling|web)\/[\w./-]*$/;

/** Every fault as `path:line: what is wrong`. */
export function findDocFaults(repository: Repository): string[] {
  const known = new Set(repository.paths.flatMap(withFolders));
  const anchors = new Map(
    [...repository.texts]
      .filter(([path]) => path.endsWith('.md'))
      .map(([path, text]) => [path, anchorsOf(text)] as const),
  );

  /** What is wrong with a target, if anything is: `docs/reports.md#filters`. */
  function wrongWith(target: string): string | undefined {
    const [path = '', anchor] = target.split('#');
    if (!known.has(path)) return `there is no ${path}`;
    if (anchor === undefined || anchors.get(path)?.has(anchor)) return undefined;
    return `${path} has no heading #${anchor}`;
  }

  const faults: string[] = [];
  const tell = (path: string, line: number, fault: string | undefined): void => {
    if (fault !== undefined) faults.push(`${path}:${line}: ${fault}`);
  };
  for (const [path, text] of repository.texts) {
    if (PUBLISHED.test(path)) continue;
    if (!path.endsWith('.md')) {
      for (const [index, line] of text.split('\n').entries()) {
        for (const [citation] of line.matchAll(CITATION)) tell(path, index + 1, wrongWith(citation));
      }
      continue;
    }
    for (const { line, target } of linksOf(text)) tell(path, line, wrongWith(resolve(path, target)));
    for (const { line, target } of codeOf(text)) {
      if (REPOSITORY_PATH.test(target)) tell(path, line, wrongWith(target.replace(/\/$/, '')));
    }
  }
  const readme = Buffer.byteLength(repository.texts.get('README.md') ?? '');
  if (readme > MAX_README_BYTES) tell('README.md', 1, `has ${readme} bytes, at most ${MAX_README_BYTES}`);
  return faults;
}

/** A link's target from the root. */
function resolve(from: string, target: string): string {
  if (target.startsWith('#')) return from + target;
  const [path = '', ...anchor] = target.split('#');
  return [posix.join(posix.dirname(from), path).replace(/\/$/, ''), ...anchor].join('#');
}

/** A file and the folders that it lies in. */
function withFolders(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
