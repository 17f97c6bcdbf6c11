/** Runs the conformance suite by its command line: it has no other interface. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

export interface Scenario {
  name: string;
  /** The protocol versions of the scenario, or `extension`. */
  kinds: string[];
}

export interface Outcome {
  passed: boolean;
  /** The output of the suite: which checks failed, and the differences from the baseline. */
  report: string;
}

export interface Run {
  /** The address of the server. The suite sends requests to its `/mcp`. */
  url: string;
  /** Path of the file with the failures that are known. */
  baseline: string;
  /**
   * Runs the scenarios of this protocol version with this version. Default: every scenario, including extensions, each with the version
   * that the suite chooses.
   */
  version?: string;
}

/** All scenarios for servers in this release of the suite. */
export async function listScenarios(): Promise<Scenario[]> {
  const { report } = await run(['list', '--server']);
  return [...report.matchAll(/^ {2}- (\S+) \[(.+)\]$/gm)].map(([, name = '', kinds = '']) => ({
    name,
    kinds: kinds.split(','),
  }));
}

/** Runs scenarios one after another. `passed` is true if the results, including failures, are those of the baseline. */
export function runSuite({ url, baseline, version }: Run): Promise<Outcome> {
  const args = ['server', '--suite', 'all', '--url', `${url}/mcp`, '--expected-failures', baseline];
  return run(version === undefined ? args : [...args, '--spec-version', version]);
}

/** The names of the scenarios in a report. */
export const scenariosIn = (report: string): string[] =>
  [...report.matchAll(/^Running client scenario '(\S+)'/gm)].map(([, name = '']) => name);

function run(args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ passed: error === null, report: stdout + stderr }),
    );
  });
}
