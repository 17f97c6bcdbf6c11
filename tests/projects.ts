/** The kinds of test files, by what they need beside their own process. The name of a file says its kind. */
export interface Project {
  name: 'unit' | 'database' | 'service' | 'browser';
  /** Packages and modules that only files of this kind and of those after it import, helpers included. */
  needs: string[];
  /** Run once, before the first file. */
  globalSetup: string[];
}

const PREPARE_SERVERS = 'tests/setup/prepare-servers.ts';
const PREPARE_WORKERS = 'tests/setup/prepare-workers.ts';

/** From the least to the most. */
export const PROJECTS: Project[] = [
  { name: 'unit', needs: [], globalSetup: [] },
  {
    name: 'database',
    needs: ['@electric-sql/pglite', 'pg', 'ioredis', 'tooling/upstash/start-upstash.ts'],
    globalSetup: [PREPARE_SERVERS],
  },
  { name: 'service', needs: ['miniflare'], globalSetup: [PREPARE_SERVERS, PREPARE_WORKERS] },
  { name: 'browser', needs: ['playwright-core'], globalSetup: [PREPARE_SERVERS, PREPARE_WORKERS] },
];

/** `name.test.ts` is a unit's, `name.database.test.ts` a database's, and so on. */
export function filesOf({ name }: Project): { include: string[]; exclude: string[] } {
  return name === 'unit'
    ? { include: ['tests/**/*.test.ts'], exclude: ['tests/**/*.*.test.ts'] }
    : { include: [`tests/**/*.${name}.test.ts`], exclude: [] };
}
