/** Carries out `npm run setup`: each step does what isn't done yet, so that a repeat goes on where it stopped. */
import type { Provider } from '../../tooling/provider/connect-provider.ts';
import { openAccount } from '../../tooling/provider/open-account.ts';
import { NONE, readSetupFile, type SetupFile, writeSetupFile } from '../../tooling/setup-file.ts';
import { type Addresses, makePlan } from '../deploy/make-plan.ts';
import { collectAnswers } from './collect-answers.ts';
import { isNone } from './questions.ts';
import type { SetupOptions } from './setup-options.ts';
import type { SetupRun, Step } from './step.ts';
import { applySchema } from './steps/apply-schema.ts';
import { awaitService } from './steps/await-service.ts';
import { checkProvider } from './steps/check-provider.ts';
import { checkStores } from './steps/check-stores.ts';
import { createQueues } from './steps/create-queues.ts';
import { deployFunctions } from './steps/deploy-functions.ts';
import { makeAccount } from './steps/make-account.ts';
import { makeRoles } from './steps/make-roles.ts';
import { partRedis } from './steps/part-redis.ts';
import { publishGuides } from './steps/publish-guides.ts';
import { drawAnew, leaveOld } from './steps/rotate-secrets.ts';
import type { Ask } from './terminal.ts';

export const STEPS: readonly Step[] = [
  checkProvider,
  checkStores,
  drawAnew,
  partRedis,
  applySchema,
  makeRoles,
  createQueues,
  deployFunctions,
  leaveOld,
  makeAccount,
  publishGuides,
  awaitService,
];

export interface SetupContext {
  env: Readonly<Record<string, string | undefined>>;
  /** Undefined where nobody sits. */
  ask: Ask | undefined;
  tell(line: string): void;
  fetch: typeof fetch;
  /** Functions to deploy. Default: all. */
  only?: string[];
  /** How long one request to the provider and one command of wrangler may take. */
  providerMs?: number;
  wranglerMs?: number;
}

/** Throws a sentence that says what to do next. */
export async function runSetup(ctx: SetupContext, options: SetupOptions): Promise<void> {
  const file = await readSetupFile(options.stateFile);
  if (options.dryRun) return showPlan(ctx, { ...file.answers, ...options.given });
  const save = (): Promise<void> => writeSetupFile(file, options.stateFile);
  file.answers = await collectAnswers({ ...ctx, given: options.given, kept: file.answers });
  await save();
  ctx.tell(`Answers and keys are kept in ${options.stateFile}, which only you may read. Keep a safe copy.`);
  const provider = await openOwnAccount(ctx, file);
  const addresses = await findAddresses(provider, file);
  file.addresses = { PUBLIC_URL: urlOf(addresses.main), CONTENT_URL: urlOf(addresses.content) };
  await save();
  const run: SetupRun = {
    ...ctx,
    ...{ options, file, save, provider, notes: [] },
    publicUrl: file.addresses.PUBLIC_URL,
    contentUrl: file.addresses.CONTENT_URL,
    deployment: await makePlan(addresses, ctx.only),
    tell: (line) => ctx.tell(`   ${line}`),
  };
  await confirmPlan(ctx, options, run);
  for (const [index, step] of STEPS.entries()) {
    ctx.tell(`${index + 1}/${STEPS.length} ${step.title}`);
    await step.run(run);
  }
  showEnd(ctx, run);
}

/** The account that this deployment is in, where it stays. */
export async function openOwnAccount(
  { env, providerMs }: Pick<SetupContext, 'env' | 'providerMs'>,
  file: SetupFile,
): Promise<Provider> {
  const accountId = file.answers.CLOUDFLARE_ACCOUNT_ID ?? file.accountId;
  if (file.accountId !== undefined && file.accountId !== accountId)
    throw new Error(
      `This deployment is in the account ${file.accountId}, and not in ${accountId}. Another deployment has a state file of its own: --state FILE.`,
    );
  const provider = await openAccount({ env, accountId, timeoutMs: providerMs });
  file.accountId = provider.accountId;
  return provider;
}

/** Hosts of a zone, or what the gateway and the content service have at workers.dev. */
export async function findAddresses(
  provider: Pick<Provider, 'subdomain' | 'accountId'>,
  { answers }: Pick<SetupFile, 'answers'>,
): Promise<Addresses> {
  const hostOf = (name: string): string | undefined => (isNone(answers[name]) ? undefined : answers[name]);
  const [main, content] = [hostOf('VENDOR_HOST'), hostOf('CONTENT_HOST')];
  const subdomain = main && content ? undefined : await provider.subdomain();
  if (!(main && content) && subdomain === undefined)
    throw new Error(
      `The account has no part of workers.dev yet. Choose one at https://dash.cloudflare.com/${provider.accountId}/workers/onboarding and run ` +
        'setup again, or give --vendor-host and --content-host.',
    );
  return {
    main: { host: main, url: main ? undefined : `https://vendor-gateway.${subdomain}.workers.dev` },
    content: { host: content, url: content ? undefined : `https://vendor-content.${subdomain}.workers.dev` },
  };
}

const urlOf = ({ host, url }: Addresses['main']): string => url ?? `https://${host}`;

/** The plan of what a run with these answers would do. */
async function showPlan({ tell, only }: SetupContext, answers: Record<string, string>): Promise<void> {
  const placeholder = (name: string, worker: string): Addresses['main'] => {
    const host = isNone(answers[name]) ? undefined : answers[name];
    return { host, url: host ? undefined : `https://${worker}.<your account>.workers.dev` };
  };
  const addresses = {
    main: placeholder('VENDOR_HOST', 'vendor-gateway'),
    content: placeholder('CONTENT_HOST', 'vendor-content'),
  };
  const deployment = await makePlan(addresses, only);
  tell(
    `The service will be at ${urlOf(addresses.main)}, the content service at ${urlOf(addresses.content)}.`,
  );
  for (const [index, step] of STEPS.entries()) {
    tell(`\n${index + 1}/${STEPS.length} ${step.title}`);
    for (const line of step.plan({ answers, deployment })) tell(`   ${line}`);
  }
  tell(
    '\nEach step finds what is done already and goes on from there. Nothing was asked of anybody or changed (--dry-run).',
  );
}

/** Somebody at a terminal sees the plan in small before anything is made. */
async function confirmPlan({ ask, tell }: SetupContext, options: SetupOptions, run: SetupRun): Promise<void> {
  if (ask === undefined || options.yes) return;
  const { answers } = run.file;
  tell(`\nThis deploys ${run.deployment.steps.length} Workers into the account ${run.provider.accountId}:`);
  tell(`  service ${run.publicUrl}`);
  tell(`  content ${run.contentUrl}`);
  tell(`  mail    ${answers.MAIL_URL === NONE ? 'none: mails go nowhere' : answers.MAIL_FROM}`);
  tell('npm run setup -- --dry-run shows each step.');
  const answer = await ask('Go on? [yes/no]');
  if (!/^y(es)?$/i.test(answer)) throw new Error('Stopped. Nothing was made; the answers are kept.');
}

function showEnd({ tell }: SetupContext, { publicUrl, contentUrl, notes }: SetupRun): void {
  tell(`
Ready.
  open      ${publicUrl}        (sign in, add a site, put its snippet on your pages)
  backends  OTEL_EXPORTER_OTLP_ENDPOINT=${publicUrl}        (the dashboard shows how)
  content   ${contentUrl}, for agents ${contentUrl}/mcp
  check     npm run doctor`);
  if (notes.length > 0) tell(`\nTo know:\n${notes.map((note) => `- ${note}`).join('\n')}`);
}
