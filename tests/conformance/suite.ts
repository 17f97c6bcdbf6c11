/** The conformance suite's command line, which is all that it offers. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

export interface Scenario {
  name: string;
  /** The protocol versions that it is for, or `extension`. */
  kinds: string[];
}

export interface Outcome {
  passed: boolean;
  /** What the suite wrote: which checks failed, and how that differs from the baseline. */
  report: string;
}

export interface Run {
  /** Of the server: its `/mcp` is asked. */
  url: string;
  /** Path of the file with the failures that are known. */
  baseline: string;
  /**
   * Runs the scenarios for that protocol version, by it. Default: every scenario of the suite, extensions included, each by
   * the version that the suite chooses.
   */
  version?: string;
}

/** Every scenario for servers that this release of the suite has. */
export async function listScenarios(): Promise<Scenario[]> {
  const { report } = await run(['list', '--server']);
  return [...report.matchAll(/^ {2}- (\S+) \[(.+)\]$/gm)].map(([, name = '', kinds = '']) => ({
    name,
    kinds: kinds.split(','),
  }));
}

/** Runs scenarios one after another. Passed is what the baseline says, failures and all. */
export function runSuite({ url, baseline, version }: Run): Promise<Outcome> {
  const args = ['server', '--suite', 'all', '--url', `${url}/mcp`, '--expected-failures', baseline];
  return run(version === undefined ? args : [...args, '--spec-version', version]);
}

/** The scenarios that a report tells of. */
export const scenariosIn = (report: string): string[] =>
  [...report.matchAll(/^Running client scenario '(\S+)'/gm)].map(([, name = '']) => name);

function run(args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ passed: error === null, report: stdout + stderr }),
    );
  });
}
