/** Follows docs/recipes/dimension.md on a copy of the repository, and checks what fails while a step is missing. */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../tooling/deployment.ts';

const COPIED = [
  'lib',
  'schema',
  'scripts',
  'tooling',
  'dev',
  'bench',
  'functions',
  'packages',
  'tests',
  'docs',
];
const FILES = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'wrangler.toml', 'CHANGELOG.md'];

let copy = '';
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'dimension-'));
  for (const name of [...COPIED, ...FILES])
    await cp(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.includes('node_modules') && !path.includes('/releases/'),
    });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
}, 180_000);
afterAll(() => rm(copy, { recursive: true, force: true }));

/** Inserts `text` before the first `mark` in a file. */
async function insert(path: string, mark: string, text: string): Promise<void> {
  const before = await readFile(join(copy, path), 'utf8');
  const [head, ...rest] = before.split(mark);
  if (head === undefined || rest.length === 0) throw new Error(`${path} has no ${mark}`);
  await writeFile(join(copy, path), `${head}${text}${[mark, rest.join(mark)].join('')}`);
}

interface Step {
  path: string;
  take: (path: string) => Promise<void>;
}

/** The steps for an example: who made the visitor's operating system, at tiers 2 and 3. */
const STEPS: Step[] = [
  {
    path: 'lib/collection/track-message.ts',
    take: (path) => insert(path, '  browser: v.optional(', '  maker: v.optional(text(16)),\n'),
  },
  {
    path: 'lib/collection/build-message.ts',
    take: (path) =>
      insert(
        path,
        '    language: languageTag(',
        "    maker: device.os === 'Android' ? 'Google' : 'Other',\n",
      ),
  },
  {
    path: 'lib/visits/dimensions.ts',
    take: (path) =>
      insert(
        path,
        '] as const satisfies readonly VisitDimension[]',
        "  { name: 'maker', number: 25, dictionary: 'profile', newValues: 'closed', lowestTier: 2, sample: 'Google', path: 'makers', summary: 'Makers' },\n",
      ),
  },
  {
    path: 'schema/migrations/',
    take: async (path) => {
      const number = String((await readdir(join(copy, path))).length + 1).padStart(4, '0');
      await writeFile(
        join(copy, path, `${number}-maker.sql`),
        'alter table site_profiles add column maker text;\n',
      );
    },
  },
  {
    path: 'lib/version.ts',
    take: async (path) => {
      const { length } = await readdir(join(copy, 'schema/migrations'));
      const text = await readFile(join(copy, path), 'utf8');
      await writeFile(join(copy, path), text.replace(/MIGRATION = \d+/, `MIGRATION = ${length}`));
    },
  },
  {
    path: 'schema/functions/dimensions.generated.sql',
    take: async () => expect(await run('scripts/dimensions.ts')).toBe(0),
  },
  {
    path: 'lib/privacy-report/facts.ts',
    take: async (path) => {
      await insert(path, "'language'],", "'maker', ");
      await insert(path, "'site_profiles.language'", "'site_profiles.maker', ");
    },
  },
  {
    path: 'tests/oracle/dimensions.ts',
    take: (path) => insert(path, '  os: {', "  maker: { lowestTier: 2, values: ['Google', 'Other'] },\n"),
  },
  { path: 'docs/reports.md', take: (path) => insert(path, '`browsers`,', '`makers`, `maker`, ') },
];

/** Runs a script in the copy. Returns its exit code. */
const run = (...args: string[]): Promise<number | null> =>
  new Promise((resolve, reject) => {
    // Uses the embedded servers, even if the test run has real ones.
    const { TEST_DATABASE_URL: _, TEST_REDIS_URL: __, CI: ___, ...env } = process.env;
    const child = spawn(process.execPath, args, { cwd: copy, env, stdio: 'ignore' });
    child.once('error', reject);
    child.once('close', resolve);
  });

test('the recipe names each file, and its checks pass once all of it is done', async () => {
  const recipe = await readFile(join(ROOT, 'docs/recipes/dimension.md'), 'utf8');
  for (const { path, take } of STEPS) {
    expect(recipe).toContain(path.split('/').findLast(Boolean));
    await take(path);
  }
  expect(await run('scripts/dimensions.ts', '--check')).toBe(0);
  expect(await run('scripts/check-sql.ts')).toBe(0);
  expect(
    await run(
      'node_modules/vitest/vitest.mjs',
      'run',
      'tests/ingest/dimensions.database.test.ts',
      'tests/lib/privacy-report/facts.database.test.ts',
      '--maxWorkers',
      '1',
    ),
  ).toBe(0);
}, 240_000);

test('a dimension touches 15 files at most, tests and documents among them', async () => {
  const guide = await readFile(join(ROOT, 'docs/recipes/dimension.md'), 'utf8');
  const recipe = guide.slice(0, guide.indexOf('The rest follows from the list'));
  const named = new Set(recipe.match(/`[\w./-]+(\.(ts|sql|md)|\/)`/g));
  expect(named.size).toBeGreaterThanOrEqual(STEPS.length);
  expect(named.size).toBeLessThanOrEqual(15);
});
