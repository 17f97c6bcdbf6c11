/** The known failures with their reasons: one file per server and protocol version, and one per server for extensions. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

export const VERSIONS = ['2025-11-25', '2026-07-28'] as const;

/** The groups of scenarios with a baseline of their own. */
export type Group = (typeof VERSIONS)[number] | 'extensions';
export const GROUPS: readonly Group[] = [...VERSIONS, 'extensions'];

export interface Baseline {
  /** Scenarios, or checks of them as `scenario:check`. */
  entries: string[];
  /** Number of lines with a reason. */
  reasons: number;
}

export const pathOf = (server: string, group: Group): string =>
  join(import.meta.dirname, 'baselines', `${server}.${group}.yml`);

export async function readBaseline(server: string, group: Group): Promise<Baseline> {
  const text = await readFile(pathOf(server, group), 'utf8');
  const { server: entries }: { server: string[] } = parse(text);
  return { entries, reasons: text.match(/^ {2}- \S+ # \S.+$/gm)?.length ?? 0 };
}

export const scenarioOf = (entry: string): string => entry.split(':')[0] ?? entry;

/** Writes the entries of several groups into one file. If two groups have the same scenario, the entries of the first group count. */
export async function joinBaselines(
  server: string,
  scenarios: readonly { group: Group; names: readonly string[] }[],
): Promise<string> {
  const seen = new Set<string>();
  const joined: string[] = [];
  for (const { group, names } of scenarios) {
    const { entries } = await readBaseline(server, group);
    joined.push(...entries.filter((entry) => !seen.has(scenarioOf(entry))));
    for (const name of names) seen.add(name);
  }
  const path = join(await mkdtemp(join(tmpdir(), 'conformance-')), 'baseline.yml');
  // JSON is YAML.
  await writeFile(path, JSON.stringify({ server: joined }));
  return path;
}
