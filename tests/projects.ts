/** The kinds of test files, by what they need besides their own process. The suffix of a file's name says its kind. */
export interface Project {
  name: 'unit' | 'program' | 'database' | 'service' | 'browser';
  /** Packages and modules that only this kind and later kinds may import, directly or through helpers. */
  needs: string[];
  /** Run once, before the first file. */
  globalSetup: string[];
  /** Milliseconds between two looks at a condition. The service limits how often it may be asked. */
  pollMs: number;
}

const PREPARE_SERVERS = 'tests/setup/prepare-servers.ts';
const PREPARE_WORKERS = 'tests/setup/prepare-workers.ts';
const PREPARE_BROWSER = 'tests/setup/prepare-browser.ts';

/** Ordered by needs: each kind may use everything that the kinds before it may use. */
export const PROJECTS: Project[] = [
  { name: 'unit', needs: [], globalSetup: [], pollMs: 10 },
  {
    name: 'program',
    needs: ['node:child_process', 'node:worker_threads'],
    globalSetup: [],
    pollMs: 10,
  },
  {
    name: 'database',
    needs: ['pg', 'ioredis', 'tooling/upstash/start-upstash.ts'],
    globalSetup: [PREPARE_SERVERS],
    pollMs: 10,
  },
  { name: 'service', needs: ['miniflare'], globalSetup: [PREPARE_SERVERS, PREPARE_WORKERS], pollMs: 50 },
  {
    name: 'browser',
    needs: ['playwright-core'],
    globalSetup: [PREPARE_SERVERS, PREPARE_WORKERS, PREPARE_BROWSER],
    pollMs: 10,
  },
];

/** `name.test.ts` belongs to the project `unit`, `name.database.test.ts` to `database`, and so on. */
export function filesOf({ name }: Project): { include: string[]; exclude: string[] } {
  return name === 'unit'
    ? { include: ['tests/**/*.test.ts'], exclude: ['tests/**/*.*.test.ts'] }
    : { include: [`tests/**/*.${name}.test.ts`], exclude: [] };
}
