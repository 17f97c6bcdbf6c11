/** Follows docs/recipes/dimension.md on a copy of the repository, and checks what fails while a step is missing. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OTHER_DIMENSIONS, VISIT_DIMENSIONS } from '../../lib/visits/dimensions.ts';
import { ROOT } from '../../tooling/deployment.ts';
import { useRepositoryCopy } from './repository-copy.ts';

const copy = useRepositoryCopy();

/** The number of the example's migration: the next one. */
const MIGRATION = (await readFile(join(ROOT, 'lib/version.ts'), 'utf8')).match(/MIGRATION = (\d+)/)?.[1];
const NEXT = String(Number(MIGRATION) + 1).padStart(4, '0');

/** The number of the example: the next one. */
const NUMBER = Math.max(...[...VISIT_DIMENSIONS, ...OTHER_DIMENSIONS].map(({ number }) => number)) + 1;

interface Step {
  path: string;
  /** Absent: the step makes the file. */
  before?: string;
  text: string;
  /** What fails without the step: the types, or this script. */
  check: 'types' | 'scripts/dimensions.ts' | 'scripts/schema.ts';
}

const words = (language: string): Step => ({
  path: `web/app/words/${language}/site.ts`,
  before: '  browser: {',
  text: "  maker: { filter: 'Maker', list: 'Makers' },\n",
  check: 'types',
});

/** The steps for an example: who made the visitor's operating system, at tiers 2 and 3. */
const STEPS: Step[] = [
  {
    path: 'lib/visits/dimensions.ts',
    before: '] as const satisfies readonly VisitDimension[]',
    text: `  {
    name: 'maker', number: ${NUMBER}, dictionary: 'profile', newValues: 'closed', lowestTier: 2, fact: 'language', sample: 'Google',
    description: 'Makers of systems.', path: 'makers', summary: 'Makers',
  },\n`,
    check: 'scripts/dimensions.ts',
  },
  {
    path: 'lib/collection/track-message.ts',
    before: '  browser: v.optional(',
    text: '  maker: v.optional(text(16)),\n',
    check: 'types',
  },
  {
    path: 'lib/collection/build-message.ts',
    before: '    language: tier >= 2',
    text: "    maker: tier >= 2 ? (device.os === 'Android' ? 'Google' : 'Other') : undefined,\n",
    check: 'types',
  },
  {
    path: `schema/migrations/${NEXT}-maker.sql`,
    text: 'alter table site_profiles add column maker text;\n',
    check: 'scripts/schema.ts',
  },
  ...['en', 'es', 'pt'].map(words),
  {
    path: 'dev/demo/visitor-machines.ts',
    before: '  device,\n',
    text: "  maker: os === 'Android' ? 'Google' : 'Other',\n",
    check: 'types',
  },
  {
    path: 'tests/oracle/dimensions.ts',
    before: '  os: {',
    text: "  maker: { lowestTier: 2, values: ['Google', 'Other'] },\n",
    check: 'types',
  },
  {
    path: 'CHANGELOG.md',
    before: '## Unreleased',
    text: '- **Makers**: visits have the dimension `maker`.\n\n',
    check: 'scripts/dimensions.ts',
  },
];

const take = ({ path, before, text }: Step): Promise<void> =>
  before === undefined ? copy.write(path, text) : copy.insert(path, before, text);

async function leaveOut({ path, before, text }: Step): Promise<void> {
  if (before === undefined) await copy.remove(path);
  else await copy.write(path, (await copy.read(path)).replace(text, ''));
}

const TSC = 'node_modules/typescript/bin/tsc';
/** Of these files, and of what they import. */
async function checkTypesOf(files: readonly string[]) {
  await copy.write('tsconfig.steps.json', JSON.stringify({ extends: './tsconfig.json', include: [], files }));
  return copy.run(TSC, '-p', 'tsconfig.steps.json');
}
const PASSED = expect.objectContaining({ code: 0 });

test('the recipe names each file: ten at most', async () => {
  const recipe = await copy.read('docs/recipes/dimension.md');
  const folders = ['schema/migrations/', 'dev/demo/', 'lib/collection/'];
  for (const { path } of STEPS) {
    const folder = folders.find((name) => path.startsWith(name) && !recipe.includes(path));
    const named =
      folder === undefined ? [path] : [folder, ...(path.endsWith('.sql') ? [] : [path.slice(folder.length)])];
    for (const name of named) expect(recipe).toContain(`\`${name}\``);
  }
  expect(STEPS.length).toBeLessThanOrEqual(10);
});

test('once all of it is done, everything is made, compiles and is within its budget', async () => {
  for (const step of STEPS) await take(step);
  expect(await copy.run('scripts/generate.ts')).toEqual(PASSED);
  expect(await copy.run(TSC)).toEqual(PASSED);
  for (const script of ['check-sql', 'check-tools', 'check-docs'])
    expect(await copy.run(`scripts/${script}.ts`)).toEqual(PASSED);
  expect(await copy.read('docs/reports.md')).toContain('| `maker` | `makers` | Makers of systems. |');
  expect(await copy.read('lib/version.ts')).toContain(`MIGRATION = ${Number(NEXT)};`);
}, 300_000);

test('its values are folded, sealed, listed and filtered by, and the privacy report has it', async () => {
  const files = ['ingest/dimensions.database', 'lib/privacy-report/facts.database', 'web/site-query'];
  expect(
    await copy.run(
      'node_modules/vitest/vitest.mjs',
      'run',
      ...files.map((name) => `tests/${name}.test.ts`),
      '--maxWorkers',
      '1',
    ),
  ).toEqual(PASSED);
}, 300_000);

async function without(steps: readonly Step[], check: () => ReturnType<typeof copy.run>): Promise<string> {
  for (const step of steps) await leaveOut(step);
  const { code, output } = await check();
  for (const step of steps) await take(step);
  expect([code, output]).not.toEqual([0, output]);
  return output;
}

test.each(STEPS.filter(({ check }) => check !== 'types'))(
  'without $path $check fails',
  async (step) => {
    const output = await without([step], () =>
      copy.run(step.check, ...(step.path.endsWith('.ts') ? ['--check'] : [])),
    );
    expect(output).toMatch(/maker|out of date/);
  },
  120_000,
);

test('without the others the compiler names their files', async () => {
  const typed = STEPS.filter(({ check }) => check === 'types');
  // Nothing can set a field that messages don't have, so this step is left out alone.
  const [message, ...others] = typed;
  const paths = typed.map(({ path }) => path);
  expect(await checkTypesOf(paths)).toEqual(PASSED);
  for (const steps of [others, message === undefined ? [] : [message]]) {
    const output = await without(steps, () => checkTypesOf(paths));
    for (const { path } of steps) expect(output).toContain(`${path}(`);
  }
}, 240_000);
