import { join } from 'node:path';
import { Log, LogLevel, Miniflare } from 'miniflare';
import { bundleWorker } from '../../tooling/bundle-worker.ts';
import { ROOT, readDeployment } from '../../tooling/deployment.ts';

/** Starts the fixture server in workerd. `origin`: the origin whose pages may send requests. */
export async function startFixture(origin: string): Promise<{ url: string; close(): Promise<void> }> {
  const content = readDeployment().find(({ fn }) => fn === 'content');
  if (content === undefined) throw new Error('wrangler.toml has no [env.content]');
  const code = await bundleWorker(join(ROOT, 'tests/conformance/fixture-server/index.ts'));
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    cf: false,
    log: new Log(LogLevel.NONE),
    logRequests: false,
    telemetry: { enabled: false },
    workers: [
      {
        config: {
          name: 'fixture',
          compatibilityDate: content.compatibilityDate,
          compatibilityFlags: content.compatibilityFlags,
          manifest: {
            mainModule: 'index.js',
            modulesRoot: ROOT,
            modules: { 'index.js': { type: 'esm', contents: code } },
          },
          env: { ORIGIN: { type: 'text', value: origin } },
        },
      },
    ],
  });
  const { origin: url } = await miniflare.ready;
  return { url, close: () => miniflare.dispose() };
}
