/**
 * A process that runs test files for `npm run mutate`: one Vitest for all jobs, so that servers and compiled modules are made once. The
 * mutants are in the code that Vitest loads, not in the checkout.
 */
import { join, relative } from 'node:path';
import {
  BaseSequencer,
  createVitest,
  type Reporter,
  type TestModule,
  type TestSpecification,
  type Vite,
} from 'vitest/node';
import { ROOT } from '../../tooling/deployment.ts';
import config from '../../vitest.config.ts';
import { filesOf, PROJECTS } from '../projects.ts';
import { listMutants } from './list-mutants.ts';

/** What the parent process asks for. */
export type Job =
  | { kind: 'list' }
  /** Runs files without a mutant. */
  | { kind: 'cover'; files: string[] }
  /** Runs files in this order until one fails. */
  | { kind: 'test'; files: string[]; mutant: string };

export interface CoveredFile {
  path: string;
  /** Of its text. */
  hash: string;
  passed: boolean;
  seconds: number;
  reached: string[];
  loaded: string[];
  /** Files with mutants that it imports, directly or not. */
  imports: string[];
}

export type Answer =
  | { files: string[] }
  | { covered: Omit<CoveredFile, 'hash'>[] }
  | { failed: string | null };

process.once('disconnect', () => process.exit());
const { files: mutated } = await listMutants();
const pathOf = ({ moduleId }: TestSpecification): string => relative(ROOT, moduleId);

let order: string[] = [];
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => order.indexOf(pathOf(a)) - order.indexOf(pathOf(b)));
  }
}

let ended: TestModule[] = [];
const reporter: Reporter = { onTestModuleEnd: (module) => void ended.push(module) };

const { projects: _, ...shared } = config.test ?? {};
const vitest = await createVitest(
  'test',
  { root: ROOT, config: false, watch: false, reporters: [reporter], related: [...mutated.keys()] },
  {
    logLevel: 'silent',
    test: {
      ...{ ...shared, maxWorkers: 1, sequence: { sequencer: InOrder } },
      projects: PROJECTS.filter(({ name }) => name === 'unit' || name === 'database').map((project) => ({
        logLevel: 'silent' as const,
        plugins: [{ name: 'mutants', enforce: 'pre', load: (id: string) => mutated.get(id) }],
        test: {
          ...{ ...shared, ...filesOf(project), name: project.name, globalSetup: project.globalSetup },
          maxWorkers: 1,
          setupFiles: [join(ROOT, 'tests/mutants/coverage-setup.ts')],
          expect: { poll: { timeout: 20_000, interval: project.pollMs } },
        },
      })),
    },
  },
);
// The tests that import a file with mutants, but those that start servers of their own: a process that is killed would leave them behind.
const relevant = new Map(
  (await vitest.getRelevantTestSpecifications())
    .map((file) => [pathOf(file), file] as const)
    .filter(([path]) => !path.startsWith('tests/tooling/')),
);

/** Returns whether an error happened outside of tests. */
async function run(paths: readonly string[]): Promise<boolean> {
  order = [...paths];
  ended = [];
  const chosen = paths.flatMap((path) => relevant.get(path) ?? []);
  const { unhandledErrors } = await vitest.runTestSpecifications(chosen);
  return unhandledErrors.length > 0;
}

async function answer(job: Job): Promise<Answer> {
  if (job.kind === 'list') return { files: [...relevant.keys()] };
  if (job.kind === 'cover') {
    await run(job.files);
    return { covered: ended.map(coveredBy) };
  }
  for (const { config } of vitest.projects) config.bail = 1;
  process.env.__STRYKER_ACTIVE_MUTANT__ = job.mutant;
  const hasError = await run(job.files);
  const failed = ended.find((module) => !module.ok());
  return { failed: failed?.relativeModuleId ?? (hasError ? 'an error outside of tests' : null) };
}

function coveredBy(module: TestModule): Omit<CoveredFile, 'hash'> {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  const { reached = [], loaded = [] } = module.meta();
  return {
    path: module.relativeModuleId,
    passed: module.ok(),
    seconds: (collectDuration + setupDuration + duration) / 1000,
    ...{ reached, loaded, imports: importsOf(module) },
  };
}

function importsOf({ moduleId, viteEnvironment }: TestModule): string[] {
  const seen = new Set<Vite.EnvironmentModuleNode>();
  const visit = (node: Vite.EnvironmentModuleNode | undefined): void => {
    if (node === undefined || seen.has(node)) return;
    seen.add(node);
    for (const imported of node.importedModules) visit(imported);
  };
  visit(viteEnvironment?.moduleGraph.getModuleById(moduleId));
  const files = [...seen].flatMap(({ file }) => file ?? []);
  return files.filter((file) => mutated.has(file)).map((file) => relative(ROOT, file));
}

process.on('message', async (job: Job) => {
  process.send?.(await answer(job));
});
if (!process.connected) process.exit();
process.send?.('ready');
