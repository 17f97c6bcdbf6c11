import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that need far longer than others. They start first in their project, so that the other worker is busy meanwhile and both end
 * together. A new checkout knows no durations, and Vitest would order files by size.
 */
export const SLOW = [
  'tests/scripts/setup/whole-setup.service.test.ts',
  'tests/scripts/setup/failing-setup.service.test.ts',
  'tests/lib/otlp/memory.program.test.ts',
  'tests/lib/otlp/fuzz.test.ts',
  'tests/lib/otlp/differential.test.ts',
  'tests/packages/sdk-node/faults.program.test.ts',
  'tests/browser/bundle.program.test.ts',
  'tests/browser/dashboard/every-view.browser.test.ts',
  'tests/security/fuzz.service.test.ts',
  'tests/clients/outage.service.test.ts',
  'tests/services/delivery.service.test.ts',
  'tests/services/openapi-examples.service.test.ts',
  'tests/services/deadlines.service.test.ts',
  'tests/ingest/filter-sums.database.test.ts',
  'tests/host/faults.database.test.ts',
  'tests/ingest/filters.database.test.ts',
  'tests/ingest/comparison.database.test.ts',
  'tests/ingest/concurrent.database.test.ts',
  'tests/ingest/delete-visitor.database.test.ts',
  'tests/ingest/values.database.test.ts',
  'tests/lib/telemetry/metrics.database.test.ts',
  'tests/lib/telemetry/quotas.database.test.ts',
  'tests/upgrades/upgrade.database.test.ts',
  'tests/tooling/backup/house-moves.database.test.ts',
  'tests/ingest/crons-at-once.database.test.ts',
  'tests/schema/dimension-recipe.database.test.ts',
  'tests/security/withdrawals.database.test.ts',
  'tests/packages/sdk-node/last-telemetry.program.test.ts',
  'tests/browser/hostile.browser.test.ts',
  'tests/bench/fill.database.test.ts',
];

const rankOf = (root: string, { moduleId }: TestSpecification): number => {
  const rank = SLOW.indexOf(relative(root, moduleId));
  return rank === -1 ? SLOW.length : rank;
};

/** Vitest's order, with the slow files first. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...projects.values()].flatMap((ofProject) =>
      ofProject.toSorted((a, b) => rankOf(root, a) - rankOf(root, b)),
    );
  }
}
