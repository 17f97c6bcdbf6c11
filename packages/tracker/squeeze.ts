/**
 * `node packages/tracker/squeeze.ts [rounds [file …]]`: looks for the order and the names of variables of which gzip makes the
 * least, and keeps them in `squeezed.json`; the build only applies what is kept. To be run when changed sources have made a
 * file outgrow its budget. It begins with what is kept and goes by chance of a fixed seed: the same rounds find the same.
 */
import { writeFile } from 'node:fs/promises';
import { FILES, joinModules, type TrackerFile, wrap } from './bundle.ts';
import {
  type Definition,
  definitionsOf,
  nameOf,
  reduce,
  rename,
  type Squeeze,
  shorten,
  type Tree,
} from './shorten.ts';
import squeezed from './squeezed.json' with { type: 'json' };
import { weigh } from './weigh.ts';

const LETTERS = [...'etaroincslpdumhgfvywxbkTSEORIMPzLjDNUVBCFHqJWYAGKQXZ$_'];

/** Of terser: a variable, by the name that it has been given. */
interface Variable {
  mangled_name?: string;
}
interface Scope {
  variables?: Map<string, Variable>;
  enclosed?: Variable[];
  block_scope?: Scope;
}

/** Text and, by their numbers, the variables in it. */
type Piece = (string | number)[];

interface Puzzle {
  /** What stands before, between and after the definitions, which are in the order of the squeeze. */
  head: Piece;
  definitions: { name: string; piece: Piece }[];
  tail: Piece;
  /** By variable: those that may not have the same name. */
  rivals: Set<number>[];
  /** By variable, the letter that it has now. */
  letters: string[];
}

const toPiece = (text: string): Piece =>
  text.split(/Ø(\d+)Ø/).map((part, index) => (index % 2 === 1 ? Number(part) : part));

/** Which variables meet in a scope: what is declared there, with what is used there or further in. */
function findRivals(tree: Tree): Set<number>[] {
  const rivals: Set<number>[] = [];
  const numberOf = ({ mangled_name }: Variable): number | undefined => {
    const number = mangled_name?.match(/Ø(\d+)Ø/)?.[1];
    return number === undefined ? undefined : Number(number);
  };
  const meet = ({ variables, enclosed = [] }: Scope): void => {
    for (const one of [...(variables?.values() ?? [])].map(numberOf))
      for (const other of enclosed.map(numberOf))
        if (one !== undefined && other !== undefined && one !== other) {
          rivals[one] ??= new Set();
          rivals[other] ??= new Set();
          rivals[one].add(other);
          rivals[other].add(one);
        }
  };
  const walker = {
    _visit(node: Scope, descend?: () => void) {
      meet(node);
      if (node.block_scope) meet(node.block_scope);
      descend?.call(node);
    },
  };
  (tree as unknown as { _walk: (given: typeof walker) => void })._walk(walker);
  return rivals;
}

async function setPuzzle(file: TrackerFile, text: string, squeeze: Squeeze): Promise<Puzzle> {
  const { code, tree } = await rename(await reduce(text, squeeze), (n) => `Ø${n}Ø`);
  const written = definitionsOf(tree).map((definition: Definition) =>
    definition.print_to_string({ ecma: 2020 }),
  );
  const whole = wrap(file, code);
  const joined = written.join(',');
  const start = whole.indexOf(joined);
  if (start < 0) throw new Error(`${file}: terser writes the definitions otherwise by themselves`);
  // The names of the sources, in the same order: names do not change what comes first.
  const names = definitionsOf(await reduce(text, squeeze)).map(nameOf);
  const rivals = findRivals(tree);
  return {
    head: toPiece(whole.slice(0, start)),
    definitions: written.map((piece, index) => ({ name: names[index] as string, piece: toPiece(piece) })),
    tail: toPiece(whole.slice(start + joined.length)),
    rivals,
    letters: [],
  };
}

const write = ({ head, definitions, tail, letters }: Puzzle): string => {
  const spell = (piece: Piece): string =>
    piece.map((part) => (typeof part === 'number' ? letters[part] : part)).join('');
  return spell(head) + definitions.map(({ piece }) => spell(piece)).join(',') + spell(tail);
};

const variablesOf = ({ head, definitions, tail }: Puzzle): number[] =>
  [head, ...definitions.map(({ piece }) => piece), tail].flat().filter((part) => typeof part === 'number');

/** The letters that are kept, where they still fit, else free ones, the most frequent first. */
function begin(puzzle: Puzzle, kept: string): void {
  for (const variable of new Set(variablesOf(puzzle)))
    puzzle.letters[variable] = [kept[variable] ?? '', ...LETTERS].find(
      (letter) => letter !== '' && isFree(puzzle, variable, letter),
    ) as string;
}

const isFree = ({ rivals, letters }: Puzzle, variable: number, letter: string): boolean =>
  ![...(rivals[variable] ?? [])].some((rival) => letters[rival] === letter);

/** Changes the puzzle as chance has it. Undefined: that can't be. */
function change(puzzle: Puzzle, chance: () => number): (() => void) | undefined {
  const { letters, rivals, definitions } = puzzle;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const kind = chance();
  if (kind < 0.3) {
    const [moved, place] = [
      Math.floor(chance() * definitions.length),
      Math.floor(chance() * definitions.length),
    ];
    const before = [...definitions];
    const undo = () => void definitions.splice(0, definitions.length, ...before);
    definitions.splice(place, 0, ...definitions.splice(moved, 1));
    // Read as the script runs, so in this order; everything else is read later.
    const [script, site] = ['currentScript', '.site'].map((word) =>
      definitions.findIndex(({ piece }) =>
        piece.some((part) => typeof part === 'string' && part.includes(word)),
      ),
    ) as [number, number];
    if (script < site) return undo;
    undo();
    return undefined;
  }
  const before = [...letters];
  const undo = () => void letters.splice(0, letters.length, ...before);
  if (kind < 0.45) {
    const [one, other] = [pick(LETTERS), pick(LETTERS)];
    for (const [variable, letter] of before.entries())
      if (letter === one) letters[variable] = other;
      else if (letter === other) letters[variable] = one;
    return undo;
  }
  for (let count = kind < 0.8 ? 1 : 2; count > 0; count -= 1) {
    const variable = Math.floor(chance() * letters.length);
    const old = letters[variable] as string;
    const letter = pick(LETTERS);
    const displaced = [...(rivals[variable] ?? [])].filter((rival) => letters[rival] === letter);
    letters[variable] = letter;
    for (const rival of displaced) letters[rival] = old;
    if (![variable, ...displaced].every((each) => isFree(puzzle, each, letters[each] as string))) {
      undo();
      return undefined;
    }
  }
  return undo;
}

/** Simulated annealing: at first worse is taken for better too. */
function solve(puzzle: Puzzle, rounds: number, heat: number): void {
  let seed = 1;
  const chance = (): number => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return seed / 2 ** 32;
  };
  let now = weigh(write(puzzle));
  let least = { weight: now, definitions: [...puzzle.definitions], letters: [...puzzle.letters] };
  for (let round = 0; round < rounds; round += 1) {
    const warmth = heat * (1 - round / rounds) ** 1.5 + 0.04;
    const undo = change(puzzle, chance);
    if (!undo) continue;
    const limit = now - warmth * Math.log(1 - chance());
    const weight = weigh(write(puzzle), limit);
    if (weight > limit) undo();
    else {
      now = weight;
      if (now < least.weight)
        least = { weight: now, definitions: [...puzzle.definitions], letters: [...puzzle.letters] };
    }
  }
  Object.assign(puzzle, least);
}

async function squeeze(file: TrackerFile, rounds: number): Promise<Squeeze> {
  const text = await joinModules(file);
  const puzzle = await setPuzzle(file, text, squeezed[file]);
  begin(puzzle, squeezed[file].letters);
  // From the kept one: warm enough to leave it, not so warm as to forget it.
  solve(puzzle, rounds, squeezed[file].letters === '' ? 2 : 0.5);
  const order = puzzle.definitions.map(({ name }) => name);
  // In another order terser asks in another order: the same places in the text are the same variables.
  const again = await setPuzzle(file, text, { order, letters: '' });
  const old = variablesOf(puzzle);
  const letters: string[] = [];
  for (const [index, variable] of variablesOf(again).entries())
    letters[variable] = puzzle.letters[old[index] as number] as string;
  const found = { order, letters: letters.join('') };
  const kept = squeezed[file];
  const [weight, before] = (await Promise.all(
    [found, kept].map(async (each) => weigh(wrap(file, await shorten(text, each)))),
  )) as [number, number];
  process.stdout.write(`${file}: ${Math.min(weight, before)} bytes gzipped, before ${before}\n`);
  return weight < before ? found : kept;
}

const rounds = Number(process.argv[2] ?? 400_000);
const found: Partial<Record<TrackerFile, Squeeze>> = {};
const chosen = process.argv.slice(3);
for (const file of FILES)
  found[file] = chosen[0] && !chosen.includes(file) ? squeezed[file] : await squeeze(file, rounds);
await writeFile(new URL('squeezed.json', import.meta.url), `${JSON.stringify(found, undefined, 2)}\n`);
