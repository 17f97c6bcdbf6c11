import { type ECMA, type MinifyOptions, type MinifyOutput, minify } from 'terser';

/** Of terser's syntax tree, which it doesn't type: what is read and set of it here. */
export interface Definition {
  name: { print_to_string: () => string };
  print_to_string: (format: { ecma: ECMA }) => string;
}
export interface Tree {
  body: { definitions?: Definition[] }[];
}

/** What terser gives back, of which its types don't know the tree. */
interface Minified extends MinifyOutput {
  ast?: Tree;
}

/** What `squeeze.ts` found best for one file. Where the sources have changed since, it is less good, and never wrong. */
export interface Squeeze {
  /** The variables of the file by their names in the sources, in the order in which they are declared; others come last. */
  order: string[];
  /** The letters that variables are called by, in the order in which terser names them; then it goes on by itself. */
  letters: string;
}

const LETTERS = 'etaroincslpdumhgfvywxbkTSEORIMPzLjDNUVBCFHqJWYAGKQXZ$_';

/** As terser counts: all letters, then all pairs. */
const nth = (n: number): string => {
  const { length } = LETTERS;
  return (n < length ? '' : nth(Math.floor(n / length) - 1)) + LETTERS[n % length];
};

/** The statement that declares the variables of the file. */
export const definitionsOf = ({ body }: Tree): Definition[] =>
  body.find(({ definitions }) => definitions !== undefined)?.definitions ?? [];

export const nameOf = ({ name }: Definition): string => name.print_to_string();

/** Shortens all but the names. Sets the variables in the given order: what uses what is near it, so that gzip finds it. */
export async function reduce(text: string, { order }: Pick<Squeeze, 'order'>): Promise<Tree> {
  // Both sides of a comparison are of one type here, or one is undefined, and `==` says the same.
  const { ast }: Minified = await minify(text.replace(/^var /gm, 'let ').replace(/([!=]=)=/g, '$1'), {
    ecma: 2020,
    module: true,
    mangle: false,
    // 2 % smaller than esbuild's own: it also puts functions that are called once where they are called.
    compress: {
      passes: 5,
      unsafe_arrows: true,
      unsafe_methods: true,
      pure_getters: true,
      booleans_as_integers: true,
    },
    format: { ast: true, code: false },
  } as MinifyOptions);
  const tree = ast as Tree;
  const place = (definition: Definition): number => order.indexOf(nameOf(definition)) + 1 || 1e3;
  definitionsOf(tree).sort((a, b) => place(a) - place(b));
  return tree;
}

/** Gives the variables of a tree names: the `n`th that terser asks for, or a spare one. Where it is taken, terser asks again. */
export async function rename(
  tree: Tree,
  name: (n: number) => string | undefined,
): Promise<{ code: string; tree: Tree }> {
  let asked = 0;
  const { code = '', ast }: Minified = await minify(
    tree as never,
    {
      ecma: 2020,
      module: true,
      compress: false,
      mangle: { nth_identifier: { get: (n) => name(asked++) ?? nth(n) } },
      format: { ast: true, code: true },
    } as MinifyOptions,
  );
  return { code, tree: ast as Tree };
}

/** The script in few bytes: the same text and the same squeeze give the same bytes. */
export async function shorten(text: string, squeeze: Squeeze): Promise<string> {
  const { code } = await rename(await reduce(text, squeeze), (n) => squeeze.letters[n]);
  return code;
}
