/** What a step of setup is, and what it works with. */
import type { Provider } from '../../tooling/provider/connect-provider.ts';
import type { SetupFile } from '../../tooling/setup-file.ts';
import type { DeployPlan } from '../deploy/deploy-plan.ts';
import type { SetupOptions } from './setup-options.ts';

/** What is known before anything is asked of anybody. */
export interface Planned {
  answers: Readonly<Record<string, string>>;
  /** Addresses that only the provider knows stand as `https://<…>`. */
  deployment: DeployPlan;
}

export interface SetupRun {
  options: SetupOptions;
  env: Readonly<Record<string, string | undefined>>;
  /** What is kept. A step changes it and calls `save` before it goes on. */
  file: SetupFile;
  save(): Promise<void>;
  provider: Provider;
  /** The service's address, and that of the content service. Known after the first step. */
  publicUrl: string;
  contentUrl: string;
  deployment: DeployPlan;
  /** Shows one line of progress. */
  tell(line: string): void;
  /** Sentences for the end: what setup couldn't do, and what the operator does about it. */
  notes: string[];
  /** How the deployment's addresses are reached. */
  fetch: typeof fetch;
  /** How long a command of wrangler may take. */
  wranglerMs?: number | undefined;
}

export interface Step {
  title: string;
  /** What it does, a line each, for --dry-run. */
  plan(planned: Planned): string[];
  /** Does what isn't done yet; a repeat finds it done. Throws a sentence that says what to do next. */
  run(run: SetupRun): Promise<void>;
}
