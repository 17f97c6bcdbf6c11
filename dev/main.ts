/** `npm run dev`: the whole service on this machine, until Ctrl-C (docs/local.md). */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../tooling/deployment.ts';
import { onStop } from '../tooling/on-stop.ts';
import { watchSources } from '../tooling/watch-sources.ts';
import { type AppServer, startAppServer } from './app-server.ts';
import { startCrons } from './crons.ts';
import { type DevOptions, readDevOptions } from './dev-options.ts';
import { fillOnce } from './fill-once.ts';
import type { Stack } from './stack.ts';
import { startWithAccount } from './start-with-account.ts';

const log = (line: string): void => console.log(line);

async function main(options: DevOptions): Promise<void> {
  const start = performance.now();
  const app = await startAppServer();
  const { stack, account, close } = await startWithAccount({ ...options, appOrigin: app.origin }, log);
  const stopCrons = startCrons(stack, (error) => log(`cron failed: ${error}`));
  const stopWatching = watchAll(stack, app);
  let stopDemo = async (): Promise<void> => {};
  onStop(async () => {
    await stopDemo();
    void stopCrons();
    stopWatching();
    await app.close();
    await close();
    log('stopped');
  });
  log(`
ready in ${seconds(start)}
  service  ${stack.baseUrl}
  content  ${stack.contentUrl}, for agents ${stack.contentUrl}/mcp
  demo     ${stack.baseUrl}/demo
  account  ${account.email}, its password and keys are in .local/dev.json
  mail     in .local/mail

Any OpenTelemetry program in this environment sends its traces, logs and metrics here:
  export OTEL_EXPORTER_OTLP_ENDPOINT=${stack.baseUrl}
  export OTEL_EXPORTER_OTLP_HEADERS='authorization=Bearer ${account.ingestKey}'
`);
  if (options.demo) stopDemo = await fillOnce(stack.sql, account.siteId, log);
}

/**
 * Source changes reload the functions. The tracker is built first, since it is part of a function. A change of the dashboard reloads its pages
 * alone.
 */
function watchAll(stack: Stack, app: AppServer): () => void {
  const reloading = (build: () => Promise<void>, what: string) => async (): Promise<void> => {
    const start = performance.now();
    try {
      await build();
      log(`${what} reloaded in ${seconds(start)}`);
    } catch (error) {
      log(`not reloaded, the last good build still runs:\n${error instanceof Error ? error.message : error}`);
    }
  };
  const stops = [
    watchSources(
      ['functions', 'lib', 'dev/edge', 'content'].map((folder) => join(ROOT, folder)),
      reloading(stack.reload, 'functions'),
    ),
    watchSources([join(ROOT, 'packages/tracker/src')], () => runScript('packages/tracker/build-tracker.ts')),
    watchSources(
      ['account', 'content'].map((folder) => join(ROOT, 'web', folder)),
      () => runScript('web/build-pages.ts'),
    ),
    watchSources([join(ROOT, 'web/app')], reloading(app.rebuild, 'dashboard'), /\.(tsx?|css)$/),
    watchSources([join(ROOT, 'content')], () => publishContent(stack), /\.(yaml|md)$/),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Writes the catalogue, whose change then reloads the functions, and publishes the guides. If a file is invalid, both stay as they
 * were.
 */
async function publishContent({ upstash }: Stack): Promise<void> {
  await runScript('scripts/content-build.ts');
  await runScript('scripts/content-publish.ts', {
    UPSTASH_REDIS_REST_URL: upstash.url,
    UPSTASH_REDIS_REST_TOKEN: upstash.token,
  });
}

/** Runs a script of the repository and shows its output. `env` overrides the developer's own environment. */
function runScript(script: string, env: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, script)], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.once('close', () => resolve());
  });
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

try {
  await main(readDevOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
