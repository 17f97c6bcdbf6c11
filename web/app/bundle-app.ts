import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type CodeSplittingNameFunction, type OutputChunk, rolldown } from 'rolldown';
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
  /** The picture beside a pasted link, 1200 by 630 pixels. */
  preview: string;
}

export interface AppBundle {
  /** By path below `/app/`. */
  files: ReadonlyMap<string, Uint8Array>;
  named: AppFiles;
  /** The path of the typeface's font, which every page loads first. */
  typeface: string;
  sizes: AppSizes;
  /** Absolute paths of the sources that the files hold. */
  sources: readonly string[];
}

/** Gzipped bytes. */
export interface AppSizes {
  firstScript: number;
  firstStyle: number;
  /** The largest of the views and their parts that are loaded when they are opened, with its words in the language that needs most. */
  largestView: number;
  /** What somebody loads who opens every view, in the language that needs most. It has no budget: nobody waits for all of it. */
  all: number;
}

const KIB = 1024;
export const BUDGET: Omit<AppSizes, 'all'> = {
  firstScript: 60 * KIB,
  firstStyle: 12 * KIB,
  largestView: 25 * KIB,
};

/** The file with what the first page needs. */
const FIRST = 'first';
const MAIN = join(import.meta.dirname, 'main.tsx');
/** The start of the name of the font with the letters of western Europe. Others are loaded where a page has them. */
const FONT = 'figtree-latin-wght';
const FONT_SOURCE = fileURLToPath(import.meta.resolve('@fontsource-variable/figtree/package.json'));
const PICTURE = join(import.meta.dirname, 'preview.png');

/** Bundles the dashboard. File names have hashes of their contents, and the same sources give the same bytes. */
export async function bundleApp(): Promise<AppBundle> {
  const [chunks, { css, fonts }, picture] = await Promise.all([
    bundleScripts(),
    bundleStyle(),
    readFile(PICTURE),
  ]);
  const style = `style-${hashOf(css)}.css`;
  const font = [...fonts.keys()].find((name) => name.startsWith(FONT));
  if (font === undefined) throw new Error(`The style names no font ${FONT}.`);
  const preview = `preview-${hashOf(picture)}.png`;
  const files = new Map<string, Uint8Array>([
    [style, css],
    ...chunks.map(({ fileName, code }) => [fileName, Buffer.from(code)] as const),
  ]);
  const graph = new Graph(chunks);
  const main = graph.outputOf('main.tsx');
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
    sources: [...chunks.flatMap(({ moduleIds }) => moduleIds), FONT_SOURCE],
    files: new Map([...files, ...fonts, [preview, picture]]),
    typeface: PLACE + font,
    named: {
      preview: PLACE + preview,
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

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 8);

const folderOf = (language: Language): string => (language === 'pt-PT' ? 'pt' : language);

/**
 * One file has all that the first page needs: in several, the page would wait for more requests and each would be compressed alone. Rolldown
 * does so, and esbuild doesn't: it makes a file of its own for whatever the same views share.
 */
async function bundleScripts(): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    input: MAIN,
    cwd: import.meta.dirname,
    platform: 'browser',
    tsconfig: false,
    // unzipit names it for Node.js; no browser comes to that line.
    external: ['node:worker_threads'],
    transform: {
      target: 'es2022',
      jsx: { runtime: 'automatic', importSource: 'preact' },
      define: { 'process.env.NODE_ENV': '"production"' },
    },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    hashCharacters: 'hex',
    entryFileNames: '[name]-[hash].js',
    // What several views share has no name of its own.
    chunkFileNames: ({ name, isDynamicEntry }) =>
      isDynamicEntry || name === FIRST ? '[name]-[hash].js' : 'shared-[hash].js',
    codeSplitting: { groups: [{ name: firstGroup(), debugName: FIRST }] },
  });
  await bundle.close();
  return output.filter((one) => one.type === 'chunk');
}

/** Puts into `first` what main.tsx imports, and what that imports. main.tsx itself waits for words, which import from `first`. */
function firstGroup(): CodeSplittingNameFunction {
  let first: Set<string> | undefined;
  return (id, modules) => {
    if (first === undefined) {
      first = new Set(modules.getModuleInfo(MAIN)?.importedIds);
      for (const one of first)
        for (const next of modules.getModuleInfo(one)?.importedIds ?? []) first.add(next);
    }
    return first.has(id) ? FIRST : null;
  };
}

/** The style, and the fonts that it names, by their names. */
async function bundleStyle(): Promise<{ css: Uint8Array; fonts: ReadonlyMap<string, Uint8Array> }> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'styles/app.css')],
    bundle: true,
    write: false,
    outdir: import.meta.dirname,
    charset: 'utf8',
    minify: true,
    loader: { '.woff2': 'file' },
    assetNames: '[name]-[hash]',
    publicPath: PLACE,
  });
  const isFont = ({ path }: { path: string }): boolean => path.endsWith('.woff2');
  const style = outputFiles.find((file) => !isFont(file));
  if (style === undefined) throw new Error('There is no style.');
  const fonts = outputFiles.filter(isFont).map(({ path, contents }) => [basename(path), contents] as const);
  return { css: style.contents, fonts: new Map(fonts) };
}

/** The files of script and their imports. Names are file names below `/app/`. */
class Graph {
  readonly #chunks: ReadonlyMap<string, OutputChunk>;

  constructor(chunks: readonly OutputChunk[]) {
    this.#chunks = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  }

  /** The file whose entry is this source. */
  outputOf(source: string): string {
    for (const name of this.#chunks.keys()) if (this.sourceOf(name) === source) return name;
    throw new Error(`No output begins with ${source}.`);
  }

  /** The source that a file begins with; empty for what several share. */
  sourceOf(name: string): string {
    const id = this.#chunks.get(name)?.facadeModuleId;
    return id == null ? '' : sourceOf(id);
  }

  /** The groups of words that a file waits for: it holds `words/<group>.ts`. */
  wordGroups(name: string): string[] {
    return (this.#chunks.get(name)?.moduleIds ?? []).flatMap(
      (id) => /^words\/(?!index|load-words|plural)([\w-]+)\.ts$/.exec(sourceOf(id))?.[1] ?? [],
    );
  }

  /** What a module imports at once, and what that imports. */
  importedBy(name: string): string[] {
    const found = new Set(this.#chunks.get(name)?.imports);
    for (const one of found) for (const next of this.#chunks.get(one)?.imports ?? []) found.add(next);
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
    return [...new Set(from.flatMap((one) => this.#chunks.get(one)?.dynamicImports ?? []))];
  }
}

const sourceOf = (id: string): string => relative(import.meta.dirname, id).replaceAll('\\', '/');
