import { defineConfig } from 'vitest/config';
import { filesOf, PROJECTS } from './tests/projects.ts';
import { SlowFirst } from './tests/setup/slow-first.ts';

export default defineConfig({
  test: {
    projects: PROJECTS.map((project) => ({
      extends: true,
      test: {
        name: project.name,
        ...filesOf(project),
        globalSetup: project.globalSetup,
        // A browser is somebody else's program on a busy machine. The reporter marks what was run again; it is to be mended.
        retry: project.name === 'browser' && process.env.CI ? 1 : 0,
        // Conditions are waited for as long as a busy machine may need.
        expect: { poll: { timeout: 20_000, interval: project.pollMs } },
      },
    })),
    // Limits only end what hangs: a busy machine takes three times as long, and a cron of a shared stack works for the sites of all files. A
    // stack (a database and workerd) is made within a hook.
    hookTimeout: 180_000,
    testTimeout: 180_000,
    // A line for each file, and one for each test that is really slow.
    slowTestThreshold: 5000,
    // The functions as they are built for Node.js, which that imports by itself.
    server: { deps: { external: [/\/host\/dist\//] } },
    pool: 'forks',
    // The files of a worker share its modules, and with them the stack and the browser.
    isolate: false,
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
  },
});
