import { posix } from 'node:path';
import { anchorsOf, codeOf, type Link, linksOf } from './markdown.ts';

export interface Repository {
  /** All files, relative to the root. */
  paths: readonly string[];
  /** The texts of the checked files. */
  texts: ReadonlyMap<string, string>;
  /** The commands of `npm run`. */
  commands: ReadonlySet<string>;
}

/** A command that a text tells people to run. */
const COMMAND = /\bnpm run (?:--silent )?(?<name>[a-z][a-z:-]*[a-z])/g;
const MAX_README_BYTES = 10_240;
/** A document that code cites: `docs/reports.md`, `docs/reports.md#filters`. */
const CITATION = /\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g;
/** Names of papers that aren't in the repository. */
const MISSING_PAPER =
  /\bcontract(?:'s)? (?:sections?\b|\d)|\(specification\b|\bspecification(?:, "|'s)|\b(?:our|the) specification\b|\(facts: |\bfacts\/\w/i;
/** Published content; its links lead to the company's website. */
const PUBLISHED = /^content\/.+\//;
/** A file or folder of the repository, without placeholders. */
const REPOSITORY_PATH =
  /^(?:bench|content|dev|docs|functions|lib|packages|schema|scripts|tests|tooling|web)\/[\w./-]*$/;

interface Fault {
  line: number;
  fault: string;
}

/** Every fault as `path:line: description`. */
export function findDocFaults(repository: Repository): string[] {
  const wrongWith = targetsOf(repository);
  const faultsOf = (path: string, text: string): Fault[] => [
    ...missingPapersOf(text),
    ...missingCommandsOf(text, repository.commands),
    ...(path.endsWith('.md') ? linkedFrom(path, text) : citedIn(text)).flatMap(({ line, target }) => {
      const fault = wrongWith(target);
      return fault === undefined ? [] : [{ line, fault }];
    }),
    ...(path === 'README.md' ? tooLong(text) : []),
  ];
  return [...repository.texts]
    .filter(([path]) => !PUBLISHED.test(path))
    .flatMap(([path, text]) => faultsOf(path, text).map(({ line, fault }) => `${path}:${line}: ${fault}`));
}

/** The fault of a target such as `docs/reports.md#filters`, or undefined. */
function targetsOf({ paths, texts }: Repository): (target: string) => string | undefined {
  const known = new Set(paths.flatMap(withFolders));
  const documents = [...texts].filter(([path]) => path.endsWith('.md'));
  const anchors = new Map(documents.map(([path, text]) => [path, anchorsOf(text)]));
  return (target) => {
    const [path = '', anchor] = target.split('#');
    if (!known.has(path)) return `there is no ${path}`;
    if (anchor === undefined || anchors.get(path)?.has(anchor)) return undefined;
    return `${path} has no heading #${anchor}`;
  };
}

const linesOf = (text: string) => text.split('\n').map((content, index) => ({ line: index + 1, content }));

const missingPapersOf = (text: string): Fault[] =>
  linesOf(text)
    .filter(({ content }) => MISSING_PAPER.test(content))
    .map(({ line }) => ({ line, fault: 'cites what is not here: cite a heading of docs/' }));

const missingCommandsOf = (text: string, commands: ReadonlySet<string>): Fault[] =>
  linesOf(text).flatMap(({ line, content }) =>
    [...content.matchAll(COMMAND)]
      .map(({ groups }) => groups?.name ?? '')
      .filter((name) => !commands.has(name))
      .map((name) => ({ line, fault: `there is no npm run ${name}` })),
  );

/** The documents that a source file or a configuration file cites. */
const citedIn = (text: string): Link[] =>
  linesOf(text).flatMap(({ line, content }) =>
    [...content.matchAll(CITATION)].map(([target]) => ({ line, target })),
  );

/** The targets of a document's links, and the paths of the repository that it names. */
const linkedFrom = (path: string, text: string): Link[] => [
  ...linksOf(text).map(({ line, target }) => ({ line, target: resolve(path, target) })),
  ...codeOf(text)
    .filter(({ target }) => REPOSITORY_PATH.test(target))
    .map(({ line, target }) => ({ line, target: target.replace(/\/$/, '') })),
];

function tooLong(text: string): Fault[] {
  const bytes = Buffer.byteLength(text);
  return bytes > MAX_README_BYTES
    ? [{ line: 1, fault: `has ${bytes} bytes, at most ${MAX_README_BYTES}` }]
    : [];
}

/** A link's target, relative to the root. */
function resolve(from: string, target: string): string {
  if (target.startsWith('#')) return from + target;
  const [path = '', ...anchor] = target.split('#');
  return [posix.join(posix.dirname(from), path).replace(/\/$/, ''), ...anchor].join('#');
}

/** A file and all folders above it. */
function withFolders(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
