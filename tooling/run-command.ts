/** What the commands of `npm run` have in common: `--state FILE`, and a sentence instead of a stack. */

/** The command was called in a way that its usage doesn't name. */
export class UsageError extends Error {}

export interface CommandLine {
  /** The arguments without `--state FILE`. */
  args: string[];
  /** The file of the deployment that the command is about; undefined: the default one (tooling/setup-file.ts). */
  state: string | undefined;
}

/** Throws a `UsageError` for `--state` without a file. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const args = [...argv];
  const at = args.findIndex((arg) => arg === '--state' || arg.startsWith('--state='));
  if (at === -1) return { args, state: undefined };
  const [flag = ''] = args.splice(at, 1);
  const state = flag === '--state' ? args.splice(at, 1)[0] : flag.slice('--state='.length);
  if (!state) throw new UsageError('--state takes the file of a deployment.');
  return { args, state };
}

/** Runs a command. If it throws, prints its message, and the usage if the call was wrong, and lets the process end with 1. */
export async function runCommand(usage: string, work: (line: CommandLine) => Promise<void>): Promise<void> {
  try {
    await work(readCommandLine(process.argv.slice(2)));
  } catch (error) {
    const { message, hint } =
      error instanceof Error ? (error as Error & { hint?: string }) : { message: String(error) };
    console.error(hint ? `${message} (${hint})` : message);
    if (isUsageError(error))
      console.error(
        `\n${usage}\n--state FILE   the file of another deployment (docs/deploy.md#what-setup-keeps)`,
      );
    process.exitCode = 1;
  }
}

/** Ours, or one of `parseArgs` of Node.js. */
const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
