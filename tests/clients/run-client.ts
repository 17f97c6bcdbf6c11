import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;

/** Runs a program to its end with only these variables. Returns its output. Throws if the program fails. */
export async function runClient(program: URL, variables: Record<string, string>): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', ...variables };
  const { stdout, stderr } = await run(process.execPath, [fileURLToPath(program)], {
    env,
    timeout: TIMEOUT_MS,
  });
  return stdout + stderr;
}

/** The variables that the README tells people to set. */
export const exporterVariables = (baseUrl: string, key: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${key}`,
});
