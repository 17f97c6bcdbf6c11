import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { LANGUAGES, type Language } from '../../lib/languages.ts';

/** Where the files are served. */
const PLACE = '/app/';

/** What the shell of a page must name. Paths begin with `/app/`. */
export interface AppFiles {
  script: string;
  style: string;
  /** Loaded with the script, because it imports them. */
  preloads: readonly string[];
  /** The module with a language's words of what is loaded first. */
  words: Readonly<Record<Language, string>>;
}

export interface AppBundle {
  /** By path below `/app/`. */
  files: ReadonlyMap<string, Uint8Array>;
  named: AppFiles;
  sizes: AppSizes;
}

/** Gzipped bytes. */
export interface AppSizes {
  firstScript: number;
  firstStyle: number;
  /** The largest of the views and their parts that are loaded when they are opened, with its words in the language that needs most. */
  largestView: number;
  /** What somebody loads who opens every view, in the language that needs most. */
  all: number;
}

const KIB = 1024;
export const BUDGET: AppSizes = {
  firstScript: 60 * KIB,
  firstStyle: 12 * KIB,
  largestView: 25 * KIB,
  all: 180 * KIB,
};

/** Bundles the dashboard. File names have hashes of their contents, and the same sources give the same bytes. */
export async function bundleApp(): Promise<AppBundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, 'main.tsx')],
    absWorkingDir: import.meta.dirname,
    outdir: join(import.meta.dirname, 'app'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: {},
  });
  const files = new Map(
    outputFiles.map(({ path, contents }) => [
      relative(join(import.meta.dirname, 'app'), path),
      contents as Uint8Array,
    ]),
  );
  const graph = new Graph(metafile);
  const main = graph.outputOf('main.tsx');
  const style = graph.styleOf(main);
  const preloads = graph.importedBy(main);
  const words = Object.fromEntries(
    LANGUAGES.map((language) => [language, graph.outputOf(`words/${folderOf(language)}/index.ts`)]),
  ) as Record<Language, string>;
  const sizeOf = (name: string): number => gzipSync(files.get(name) ?? '', { level: 9 }).length;
  const total = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + sizeOf(name), 0);
  /** The most that the modules of a language hold. */
  const largest = (modules: readonly string[]): number =>
    Math.max(
      ...modules.map((name) => total([name, ...graph.importedBy(name)].filter((one) => !first.has(one)))),
    );
  const first = new Set([main, ...preloads]);
  const isWords = (name: string): boolean => graph.sourceOf(name).startsWith('words/');
  const allWordsOf = (language: Language): number =>
    total(
      [...files.keys()].filter((name) => graph.sourceOf(name).startsWith(`words/${folderOf(language)}/`)),
    );
  const views = graph.lazyBelow(main).filter((name) => !isWords(name));
  const sizeOfView = (name: string): number => {
    const needed = [name, ...graph.importedBy(name)].filter((one) => !first.has(one));
    const groups = new Set(needed.flatMap((one) => graph.wordGroups(one)));
    const wordsOf = (group: string): number =>
      largest(LANGUAGES.map((language) => graph.outputOf(`words/${folderOf(language)}/${group}.ts`)));
    return total(needed) + [...groups].reduce((sum, group) => sum + wordsOf(group), 0);
  };
  return {
    files,
    named: {
      script: PLACE + main,
      style: PLACE + style,
      preloads: preloads.map((name) => PLACE + name),
      words: Object.fromEntries(
        Object.entries(words).map(([language, name]) => [language, PLACE + name]),
      ) as Record<Language, string>,
    },
    sizes: {
      firstScript: total(first) + largest(Object.values(words)),
      firstStyle: sizeOf(style),
      largestView: Math.max(0, ...views.map(sizeOfView)),
      all: total([...files.keys()].filter((name) => !isWords(name))) + Math.max(...LANGUAGES.map(allWordsOf)),
    },
  };
}

const folderOf = (language: Language): string => (language === 'pt-PT' ? 'pt' : language);

/** The outputs and their imports. Names are file names below `/app/`. */
class Graph {
  readonly #outputs: Map<string, Metafile['outputs'][string]>;

  constructor({ outputs }: Metafile) {
    this.#outputs = new Map(Object.entries(outputs).map(([path, output]) => [nameOf(path), output]));
  }

  /** The output whose entry is this source. */
  outputOf(source: string): string {
    for (const [name, { entryPoint }] of this.#outputs) if (entryPoint === source) return name;
    throw new Error(`No output begins with ${source}.`);
  }

  /** The source that an output begins with; empty for what several share. */
  sourceOf(name: string): string {
    return this.#outputs.get(name)?.entryPoint ?? '';
  }

  /** The groups of words that an output waits for: it holds `words/<group>.ts`. */
  wordGroups(name: string): string[] {
    return Object.keys(this.#outputs.get(name)?.inputs ?? {}).flatMap(
      (input) => /^words\/(?!index|load-words|plural)([\w-]+)\.ts$/.exec(input)?.[1] ?? [],
    );
  }

  styleOf(name: string): string {
    const style = this.#outputs.get(name)?.cssBundle;
    if (style === undefined) throw new Error(`${name} has no style.`);
    return nameOf(style);
  }

  /** What a module imports at once, and what that imports. */
  importedBy(name: string): string[] {
    const found = new Set<string>();
    const visit = (from: string): void => {
      for (const { path, kind } of this.#outputs.get(from)?.imports ?? []) {
        const to = nameOf(path);
        if (kind !== 'import-statement' || found.has(to)) continue;
        found.add(to);
        visit(to);
      }
    };
    visit(name);
    return [...found].sort();
  }

  /** What is loaded later, also by what is loaded later itself. */
  lazyBelow(name: string): string[] {
    const found = new Set(this.lazy(name));
    for (const one of found) for (const next of this.lazy(one)) found.add(next);
    return [...found];
  }

  /** What the module and its imports load later. */
  lazy(name: string): string[] {
    const from = [name, ...this.importedBy(name)];
    const paths = from.flatMap((one) =>
      (this.#outputs.get(one)?.imports ?? [])
        .filter(({ kind }) => kind === 'dynamic-import')
        .map(({ path }) => nameOf(path)),
    );
    return [...new Set(paths)];
  }
}

const nameOf = (path: string): string => path.replace(/^app\//, '');
