import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  GROUPS,
  type Group,
  joinBaselines,
  pathOf,
  readBaseline,
  scenarioOf,
  VERSIONS,
} from './baselines.ts';
import { listScenarios, runSuite, scenariosIn } from './suite.ts';

const scenarios = await listScenarios();

const namesOf = (group: Group): string[] => {
  const kind = group === 'extensions' ? 'extension' : group;
  return scenarios.filter(({ kinds }) => kinds.includes(kind)).map(({ name }) => name);
};

/**
 * Declares tests that run every scenario of the suite against a server. A test fails if a scenario fails that isn't in the baseline, or
 * if a scenario of the baseline passes.
 */
export function expectConformance(server: 'product' | 'analytics' | 'fixture', url: () => string): void {
  test.each(VERSIONS)('%s', async (version) => {
    const { passed, report } = await runSuite({ url: url(), baseline: pathOf(server, version), version });
    expect(scenariosIn(report).sort()).toEqual(namesOf(version).sort());
    expect(passed ? '' : report).toBe('');
  });

  test('every scenario there is, extensions included', async () => {
    const baseline = await joinBaselines(
      server,
      GROUPS.map((group) => ({ group, names: namesOf(group) })),
    );
    onTestFinished(() => rm(dirname(baseline), { recursive: true }));
    const { passed, report } = await runSuite({ url: url(), baseline });
    expect(scenarios.length).toBeGreaterThan(60);
    expect(scenariosIn(report).sort()).toEqual(scenarios.map(({ name }) => name).sort());
    expect(passed ? '' : report).toBe('');
  });

  test.each(GROUPS)('the baseline for %s names only what is run, and a reason for each', async (group) => {
    const { entries, reasons } = await readBaseline(server, group);
    const known = namesOf(group);
    expect(entries.filter((entry) => !known.includes(scenarioOf(entry)))).toEqual([]);
    expect(reasons).toBe(entries.length);
  });
}
