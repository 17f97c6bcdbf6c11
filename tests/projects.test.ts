import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, PROJECTS } from './projects.ts';
import { SLOW } from './setup/slow-first.ts';

const STARTS = PROJECTS.flatMap(({ name, needs }) => (name === 'program' ? needs : []));
const FILES = globSync('tests/**/*.test.ts');

/** Imports and re-exports of values, with the names in braces if there are any. */
const IMPORT =
  /^(?:import|export)\s+(?!type\b)(?:[^;'{]*\{(?<names>[^}]*)\}\s*from|[^;'{]*\bfrom|(?=\s*'))\s*'(?<from>[^']+)'|\bimport\('(?<dynamic>[^']+)'\)/gm;

const known = new Map<string, string[]>();

/** The imports of a module at run time: packages, and paths relative to the root. */
function importsOf(file: string): string[] {
  const imports = known.get(file) ?? readImports(file);
  known.set(file, imports);
  return imports;
}

function readImports(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap(({ groups = {} }) => {
    const names = groups.names?.split(',').map((name) => name.trim());
    if (names?.every((name) => name === '' || name.startsWith('type '))) return [];
    const from = groups.from ?? groups.dynamic ?? '';
    return from.startsWith('.') ? join(dirname(file), from) : from;
  });
}

/** The imports of a module and, recursively, of its imports. */
function reach(file: string, into = new Set<string>()): Set<string> {
  if (into.has(file)) return into;
  into.add(file);
  if (file.endsWith('.ts') && existsSync(file)) for (const next of importsOf(file)) reach(next, into);
  return into;
}

test('each file belongs to exactly one project', () => {
  const belongs = PROJECTS.flatMap((project) => {
    const { include, exclude } = filesOf(project);
    return globSync(include, { exclude });
  });
  expect(belongs.toSorted()).toEqual(FILES.toSorted());
});

test('the slow files that start first exist', () => {
  expect(FILES).toEqual(expect.arrayContaining(SLOW));
});

test.each(PROJECTS)('the files of $name need what it is there for', (project) => {
  const { include, exclude } = filesOf(project);
  const wrong = globSync(include, { exclude }).filter((file) => {
    const imports = reach(file);
    const needed = PROJECTS.findLastIndex(
      ({ name, needs }) => name === 'unit' || needs.some((need) => imports.has(need)),
    );
    const named = PROJECTS.indexOf(project);
    // Imports don't show what a program needs that the test starts.
    return STARTS.some((start) => imports.has(start)) ? named < needed : named !== needed;
  });
  expect(wrong).toEqual([]);
});
