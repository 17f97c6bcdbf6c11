/** Fills a database with sites and telemetry of a size, for `bench -- scale`. Interrupted anywhere, the same command continues. */
import type { Benchmark } from './benchmark.ts';
import { whole } from './print-table.ts';
import { connected } from './reports/with-service.ts';
import { fillAtSize } from './scale/fill-at-size.ts';
import { showProgress } from './scale/fill-progress.ts';
import { withFilledDatabase } from './scale/filled-database.ts';
import { printSizes } from './scale/table-sizes.ts';

export const fill: Benchmark = {
  name: 'fill',
  summary: 'fills the database --into with --site, --sites × --each, --signals a day: resumable, and kept',
  onlyNamed: true,
  run: ({ database, into, size }) =>
    withFilledDatabase(database, into, async (url) => {
      const begun = performance.now();
      await connected(url, async (sql) => {
        const progress = showProgress();
        try {
          await fillAtSize(sql, { size, now: Date.now() }, progress);
        } finally {
          progress.end();
        }
        console.error(`  ${into} is filled; ${whole((performance.now() - begun) / 1000)} s in this run`);
        await printSizes(sql);
      });
    }),
};
