import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Where programs of tests stand: packages of the repository are found from here. */
export const APPS = fileURLToPath(new URL('apps', import.meta.url));
/** `--import @vendor/sdk-node/register` */
export const REGISTER = ['--import', '@vendor/sdk-node/register'];

/** The Node.js of this process, and those whose programs `NODE_BINARIES` names, with `:` between them. */
export const NODES: readonly string[] = [
  process.execPath,
  ...(process.env.NODE_BINARIES ?? '').split(':').filter((path) => path !== ''),
];

export interface Ended {
  stdout: string;
  /** The lines of the error stream. */
  said: string[];
  /** The exit code, or the signal that ended the program. */
  end: number | string | null;
}

export interface Run {
  /** Arguments of Node.js before the program. */
  args?: string[];
  env?: Record<string, string>;
  node?: string;
  cwd?: string;
  /** Of a program that is given as text. */
  type?: 'module' | 'commonjs';
}

/** Runs a program to its end: a file, or its text. It has only these variables. */
export async function runApp(
  program: string,
  { args = [], env = {}, node = process.execPath, cwd = APPS, type = 'module' }: Run = {},
): Promise<Ended> {
  const what = /\n|;/.test(program) ? [`--input-type=${type}`, '--eval', program] : [program];
  const child = spawn(node, [...args, ...what], {
    cwd,
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...env },
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, said: stderr.split('\n').filter((line) => line !== ''), end: code ?? signal };
}

/** The variables that the README names. */
export const variables = (endpoint: string): Record<string, string> => ({
  VENDOR_ENDPOINT: endpoint,
  VENDOR_API_KEY: 'ving_test',
  VENDOR_SERVICE_NAME: 'shop',
});
