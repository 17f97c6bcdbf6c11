/** The command line of `npm start`. Settings are environment variables (host/settings.ts). */
import { parseArgs } from 'node:util';

export interface StartOptions {
  /** A site with made-up data is filled. */
  demo: boolean;
}

/** Throws a sentence for the operator. `env`: npm takes an option without `--` before it as a setting of its own. */
export function readStartOptions(
  args: string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): StartOptions {
  if (env.npm_config_demo !== undefined)
    throw new Error('npm took --demo for itself. Write npm start -- --demo.');
  const { values, tokens } = parseArgs({
    args,
    options: { demo: { type: 'boolean', default: false } },
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'option' && token.rawName === '--demo' && token.value === undefined) continue;
    const given = token.kind === 'option-terminator' ? '--' : args[token.index];
    throw new Error(
      `${given} is no option of npm start, which takes --demo alone. Settings are environment variables (docs/self-host.md#settings).`,
    );
  }
  return { demo: values.demo === true };
}
