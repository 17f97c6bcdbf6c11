/** Runs in workerd what was uploaded to the stand-in: the very bytes, with the very bindings, secrets and static files. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Log, LogLevel, Miniflare, type MiniflareOptions } from 'miniflare';
import { findPort } from '../../dev/free-port.ts';
import { ROOT } from '../../tooling/deployment.ts';
import { readBundle } from '../setup/bundles.ts';
import type { Account, UploadedVersion, Worker } from './provider-account.ts';

type Plan = MiniflareOptions['workers'][number];
type Bindings = NonNullable<Plan['config']['env']>;

export interface RunningUploads {
  /** Reaches `https://vendor-gateway.<subdomain>.workers.dev` and that of the content service, and nothing else. */
  fetch: typeof fetch;
  close(): Promise<void>;
}

/** Which Worker answers at which edge of this machine. */
const EDGES = [
  { worker: 'vendor-gateway', binding: 'GATEWAY', main: 'dev/edge/index.ts' },
  { worker: 'vendor-content', binding: 'CONTENT', main: 'dev/edge/content-edge.ts' },
] as const;

export async function runUploaded(account: Account): Promise<RunningUploads> {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-uploaded-'));
  const ports = await Promise.all(EDGES.map(() => findPort(0, 'the port')));
  const workers = await Promise.all(
    [...account.workers.values()].map((worker) => planWorker(account, worker, folder)),
  );
  const edges = await Promise.all(EDGES.map((edge, i) => planEdge(edge, i === 0 ? undefined : ports[i])));
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    port: ports[0] ?? 0,
    cf: false,
    log: new Log(LogLevel.NONE),
    logRequests: false,
    handleStructuredLogs: () => {},
    telemetry: { enabled: false },
    workers: [...edges, ...workers],
  });
  await miniflare.ready;
  const origins = new Map(
    EDGES.map(({ worker }, i) => [
      `https://${worker}.${account.subdomain}.workers.dev`,
      `http://127.0.0.1:${ports[i]}`,
    ]),
  );
  return {
    fetch: (input, init) => {
      const url = new URL(String(input));
      const origin = origins.get(url.origin);
      if (origin === undefined) throw new Error(`${url.origin} is not on this machine`);
      return fetch(origin + url.pathname + url.search, init);
    },
    close: async () => {
      await miniflare.dispose();
      await rm(folder, { recursive: true });
    },
  };
}

async function planEdge(
  { worker, binding, main }: (typeof EDGES)[number],
  port: number | undefined,
): Promise<Plan> {
  return {
    config: {
      name: `edge-${worker}`,
      compatibilityDate: '2026-10-01',
      manifest: manifestOf('index.js', { 'index.js': await readBundle(join(ROOT, main)) }),
      env: { [binding]: { type: 'worker', worker } },
    },
    ...(port !== undefined && { dev: { unsafeDirectSockets: [{ host: '127.0.0.1', port }] } }),
  };
}

async function planWorker(
  account: Account,
  { name, versions, deployments, secrets }: Worker,
  folder: string,
): Promise<Plan> {
  const version = versions.find(({ id }) => id === deployments[0]?.version);
  if (version === undefined) throw new Error(`${name} has no deployed version`);
  const { metadata, modules } = version;
  const assets = await writeAssets(version, join(folder, name));
  return {
    config: {
      name,
      compatibilityDate: metadata.compatibility_date as string,
      compatibilityFlags: metadata.compatibility_flags as string[],
      manifest: manifestOf(metadata.main_module as string, modules),
      env: { ...bindingsOf(version), ...textsOf(secrets) },
      ...(assets !== undefined && {
        assets: { directory: assets, hasUserWorker: true, htmlHandling: 'none' as const },
      }),
      triggers: [...account.queues.values()].flatMap((queue) =>
        queue.consumers
          .filter(({ script }) => script === name)
          .map(({ deadLetterQueue }) => ({
            ...{ type: 'queue' as const, name: queue.name },
            ...(typeof deadLetterQueue === 'string' && { deadLetterQueue }),
          })),
      ),
    },
  };
}

const textsOf = (values: Record<string, string>): Bindings =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { type: 'text', value }]));

function bindingsOf({ bindings }: UploadedVersion): Bindings {
  return Object.fromEntries(
    bindings.flatMap(
      ({ name, type, text, service, entrypoint, queue_name: queue }): [string, Bindings[string]][] => {
        switch (type) {
          case 'plain_text':
            return [[name, { type: 'text', value: text as string }]];
          case 'service':
            return [
              [
                name,
                {
                  type: 'worker',
                  worker: service as string,
                  ...(typeof entrypoint === 'string' && { exportName: entrypoint }),
                },
              ],
            ];
          case 'queue':
            return [[name, { type: 'queue', name: queue as string }]];
          case 'secret_text':
          case 'assets':
            return [];
          default:
            throw new Error(`The stand-in knows no binding of the kind ${type}`);
        }
      },
    ),
  );
}

function manifestOf(
  mainModule: string,
  modules: Record<string, string>,
): NonNullable<Plan['config']['manifest']> {
  return {
    mainModule,
    modulesRoot: ROOT,
    modules: Object.fromEntries(
      Object.entries(modules).map(([name, contents]) => [name, { type: 'esm' as const, contents }]),
    ),
  };
}

async function writeAssets({ assets }: UploadedVersion, folder: string): Promise<string | undefined> {
  const files = Object.entries(assets);
  if (files.length === 0) return undefined;
  for (const [path, content] of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  return folder;
}
