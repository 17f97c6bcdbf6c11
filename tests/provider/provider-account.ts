/** What is in the stand-in's account, and how requests read and change it. */
import { createHash, randomUUID } from 'node:crypto';

interface Binding {
  name: string;
  type: string;
  [field: string]: unknown;
}

export interface UploadedVersion {
  id: string;
  at: string;
  message: string | undefined;
  metadata: Record<string, unknown>;
  bindings: Binding[];
  /** Module name to code. */
  modules: Record<string, string>;
  /** Path to content. */
  assets: Record<string, Buffer>;
}

export interface Worker {
  name: string;
  secrets: Record<string, string>;
  versions: UploadedVersion[];
  /** The newest first. */
  deployments: { id: string; at: string; version: string; message: string | undefined }[];
  workersDev: boolean;
  crons: string[];
}

interface Queue {
  id: string;
  name: string;
  backlog: number;
  /** Since when the oldest message waits, epoch milliseconds. */
  oldest: number;
  consumers: { id: string; script: string; settings: Record<string, unknown>; deadLetterQueue: unknown }[];
}

export interface Account {
  id: string;
  subdomain: string | undefined;
  workers: Map<string, Worker>;
  queues: Map<string, Queue>;
  zones: Map<
    string,
    { id: string; dns: Map<string, { id: string; body: unknown }>; routes: Map<string, string> }
  >;
  /** Contents of static files by the provider's hash of them. */
  files: Map<string, Buffer>;
}

export const newAccount = (): Account => ({
  id: createHash('md5').update(randomUUID()).digest('hex'),
  subdomain: 'acme',
  workers: new Map(),
  queues: new Map(),
  zones: new Map(),
  files: new Map(),
});

interface Incoming {
  method: string;
  path: string;
  query: URLSearchParams;
  type: string;
  body: Buffer;
  isKnown: boolean;
}

interface Carried {
  status: number;
  answer: unknown;
  fields: string[];
}

const now = (): string => new Date().toISOString();

class Refused extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
const notFound = (code = 10007): Refused => new Refused(404, code, 'not found');

export async function answerRequest(account: Account, incoming: Incoming): Promise<Carried> {
  let fields: string[] = [];
  try {
    if (!incoming.isKnown) throw new Refused(401, 10000, 'Authentication error');
    const json =
      incoming.type.includes('json') || incoming.type.startsWith('text/plain') ? readJson(incoming.body) : {};
    fields = Object.keys(json);
    const route = ROUTES.find(
      ([method, pattern]) =>
        method === incoming.method && pattern.test(incoming.path.replace(account.id, ':account')),
    );
    if (route === undefined)
      throw new Refused(404, 7003, `The stand-in has no ${incoming.method} ${incoming.path}`);
    const [, pattern, carry] = route;
    const args = (pattern.exec(incoming.path.replace(account.id, ':account')) ?? [])
      .slice(1)
      .map(decodeURIComponent);
    const result = await carry({ account, args, json, incoming, note: (names) => (fields = names) });
    return { status: 200, answer: success(result), fields };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { status, code, message } = error;
    return {
      status,
      fields,
      answer: { success: false, errors: [{ code, message }], messages: [], result: null },
    };
  }
}

const success = (result: unknown) => ({
  ...{ success: true, errors: [], messages: [], result },
  ...(Array.isArray(result) && {
    result_info: { page: 1, per_page: 100, count: result.length, total_count: result.length, total_pages: 1 },
  }),
});

function readJson(body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  const parsed: unknown = JSON.parse(body.toString('utf8'));
  return Array.isArray(parsed) ? {} : (parsed as Record<string, unknown>);
}

interface Call {
  account: Account;
  args: string[];
  json: Record<string, unknown>;
  incoming: Incoming;
  note(fields: string[]): void;
}
type Route = [method: string, pattern: RegExp, carry: (call: Call) => unknown];

const A = '^/accounts/:account';
const worker = ({ account, args }: Call): Worker => {
  const found = account.workers.get(args[0] ?? '');
  if (found === undefined) throw notFound();
  return found;
};
const zone = ({ account, args }: Call) => {
  const found = [...account.zones.values()].find(({ id }) => id === args[0]);
  if (found === undefined) throw notFound();
  return found;
};
const queueById = ({ account, args }: Call): Queue => {
  const found = [...account.queues.values()].find(({ id }) => id === args[0]);
  if (found === undefined) throw notFound(11000);
  return found;
};

const queueBody = (queue: Queue) => ({
  ...{ queue_id: queue.id, queue_name: queue.name, producers: [], producers_total_count: 0 },
  consumers: queue.consumers.map(({ id, script, settings, deadLetterQueue }) => ({
    ...{ consumer_id: id, script, settings, type: 'worker', dead_letter_queue: deadLetterQueue },
  })),
  consumers_total_count: queue.consumers.length,
});
const deploymentBody = ({ id, at, version, message }: Worker['deployments'][number]) => ({
  ...{ id, created_on: at, source: 'api', strategy: 'percentage', author_email: 'you@example.com' },
  versions: [{ version_id: version, percentage: 100 }],
  annotations: { ...(message && { 'workers/message': message }), 'workers/triggered_by': 'upload' },
});

const ROUTES: Route[] = [
  ['GET', /^\/user$/, () => ({ id: 'u', email: 'you@example.com' })],
  ['GET', /^\/user\/tokens\/verify$/, () => ({ id: 't', status: 'active' })],
  ['GET', /^\/accounts$/, ({ account }) => [{ id: account.id, name: 'Acme' }]],
  ['GET', /^\/memberships$/, ({ account }) => [{ id: 'm', account: { id: account.id, name: 'Acme' } }]],
  [
    'GET',
    new RegExp(`${A}/workers/subdomain$`),
    ({ account }) => {
      if (account.subdomain === undefined) throw notFound();
      return { subdomain: account.subdomain };
    },
  ],
  [
    'GET',
    new RegExp(`${A}/queues$`),
    ({ account, incoming }) => {
      const names = incoming.query.getAll('name');
      return [...account.queues.values()]
        .filter(({ name }) => names.length === 0 || names.includes(name))
        .map(queueBody);
    },
  ],
  [
    'POST',
    new RegExp(`${A}/queues$`),
    ({ account, json }) => {
      const name = json.queue_name as string;
      if (account.queues.has(name)) throw new Refused(409, 11009, 'Queue name is already taken');
      const queue = { id: randomUUID().replaceAll('-', ''), name, backlog: 0, oldest: 0, consumers: [] };
      account.queues.set(name, queue);
      return queueBody(queue);
    },
  ],
  ['GET', new RegExp(`${A}/queues/([^/]+)$`), (call) => queueBody(queueById(call))],
  [
    'DELETE',
    new RegExp(`${A}/queues/([^/]+)$`),
    (call) => {
      const queue = queueById(call);
      call.account.queues.delete(queue.name);
      return {};
    },
  ],
  [
    'GET',
    new RegExp(`${A}/queues/([^/]+)/metrics$`),
    (call) => {
      const { backlog, oldest } = queueById(call);
      return { backlog_count: backlog, backlog_bytes: 0, oldest_message_timestamp_ms: oldest };
    },
  ],
  ['GET', new RegExp(`${A}/queues/([^/]+)/consumers$`), (call) => queueBody(queueById(call)).consumers],
  ['POST', new RegExp(`${A}/queues/([^/]+)/consumers$`), (call) => putConsumer(call, randomUUID())],
  [
    'PUT',
    new RegExp(`${A}/queues/([^/]+)/consumers/([^/]+)$`),
    (call) => putConsumer(call, call.args[1] ?? ''),
  ],
  [
    'GET',
    new RegExp(`${A}/workers/scripts$`),
    ({ account }) => [...account.workers.keys()].map((id) => ({ id })),
  ],
  ['PUT', new RegExp(`${A}/workers/scripts/([^/]+)$`), upload],
  ['POST', new RegExp(`${A}/workers/scripts/([^/]+)/versions$`), upload],
  [
    'DELETE',
    new RegExp(`${A}/workers/scripts/([^/]+)$`),
    (call) => {
      const { name } = worker(call);
      call.account.workers.delete(name);
      for (const { routes } of call.account.zones.values())
        for (const [pattern, script] of routes) if (script === name) routes.delete(pattern);
      for (const queue of call.account.queues.values())
        queue.consumers = queue.consumers.filter(({ script }) => script !== name);
      return {};
    },
  ],
  [
    'GET',
    new RegExp(`${A}/workers/scripts/([^/]+)/secrets$`),
    (call) => Object.keys(worker(call).secrets).map((name) => ({ name, type: 'secret_text' })),
  ],
  [
    'DELETE',
    new RegExp(`${A}/workers/scripts/([^/]+)/secrets/([^/]+)$`),
    (call) => {
      delete worker(call).secrets[call.args[1] as string];
      return null;
    },
  ],
  [
    'GET',
    new RegExp(`${A}/workers/scripts/([^/]+)/deployments$`),
    (call) => ({ deployments: worker(call).deployments.slice(0, 10).map(deploymentBody) }),
  ],
  [
    'POST',
    new RegExp(`${A}/workers/scripts/([^/]+)/deployments$`),
    (call) => {
      const target = worker(call);
      const [{ version_id: version }] = call.json.versions as [{ version_id: string }];
      if (target.versions.every(({ id }) => id !== version)) throw notFound(10222);
      return deploymentBody(
        deploy(
          target,
          version,
          (call.json.annotations as Record<string, string> | undefined)?.['workers/message'],
        ),
      );
    },
  ],
  [
    'GET',
    new RegExp(`${A}/workers/scripts/([^/]+)/versions/([^/]+)$`),
    (call) => {
      const version = worker(call).versions.find(({ id }) => id === call.args[1]);
      if (version === undefined) throw notFound();
      return versionBody(version);
    },
  ],
  [
    'GET',
    new RegExp(`${A}/workers/scripts/([^/]+)/versions$`),
    (call) => ({ items: worker(call).versions.map(versionBody).toReversed() }),
  ],
  [
    'GET',
    new RegExp(`${A}/workers/scripts/([^/]+)/(?:settings|script-settings)$`),
    (call) => ({ id: worker(call).name, bindings: [] }),
  ],
  [
    'PATCH',
    new RegExp(`${A}/workers/scripts/([^/]+)/(?:settings|script-settings)$`),
    (call) => ({ id: worker(call).name }),
  ],
  [
    'GET',
    new RegExp(`${A}/workers/scripts/([^/]+)/subdomain$`),
    (call) => ({ enabled: worker(call).workersDev, previews_enabled: false }),
  ],
  [
    'POST',
    new RegExp(`${A}/workers/scripts/([^/]+)/subdomain$`),
    (call) => {
      worker(call).workersDev = call.json.enabled === true;
      return { enabled: call.json.enabled, previews_enabled: call.json.previews_enabled ?? false };
    },
  ],
  [
    'PUT',
    new RegExp(`${A}/workers/scripts/([^/]+)/schedules$`),
    (call) => {
      const schedules = JSON.parse(call.incoming.body.toString('utf8')) as { cron: string }[];
      worker(call).crons = schedules.map(({ cron }) => cron);
      return { schedules };
    },
  ],
  ['POST', new RegExp(`${A}/workers/scripts/([^/]+)/assets-upload-session$`), startAssets],
  ['POST', new RegExp(`${A}/workers/assets/upload$`), receiveAssets],
  [
    'GET',
    new RegExp(`${A}/workers/workers/([^/]+)$`),
    (call) => {
      const { name, workersDev } = worker(call);
      return { id: name, name, subdomain: { enabled: workersDev, previews_enabled: false } };
    },
  ],
  [
    'GET',
    new RegExp(`${A}/workers/services/([^/]+)$`),
    (call) => {
      const { name } = { name: call.args[0] };
      if (!call.account.workers.has(name ?? '')) throw new Refused(404, 10090, 'This Worker does not exist');
      return {
        id: name,
        default_environment: {
          environment: 'production',
          script: { id: name, tag: 't', tags: null, last_deployed_from: 'wrangler' },
        },
      };
    },
  ],
  [
    'GET',
    /^\/zones$/,
    ({ account, incoming }) =>
      [...account.zones]
        .filter(([name]) => [null, name].includes(incoming.query.get('name')))
        .map(([name, { id }]) => ({ id, name, account: { id: account.id } })),
  ],
  [
    'GET',
    /^\/zones\/([^/]+)\/workers\/routes$/,
    (call) => [...zone(call).routes].map(([pattern, script]) => ({ id: pattern, pattern, script })),
  ],
  [
    'PUT',
    new RegExp(`${A}/workers/scripts/([^/]+)/routes$`),
    (call) => {
      const { name } = worker(call);
      const patterns = JSON.parse(call.incoming.body.toString('utf8')) as { pattern: string }[];
      for (const { pattern } of patterns) {
        const host = pattern.split('/')[0] ?? '';
        const own = [...call.account.zones].find(([zoneName]) => host.endsWith(zoneName))?.[1];
        own?.routes.set(pattern, name);
      }
      return patterns.map(({ pattern }) => pattern);
    },
  ],
  [
    'GET',
    /^\/zones\/([^/]+)\/dns_records$/,
    (call) => {
      const record = zone(call).dns.get(call.incoming.query.get('name') ?? '');
      return record === undefined ? [] : [{ id: record.id, ...(record.body as object) }];
    },
  ],
  [
    'POST',
    /^\/zones\/([^/]+)\/dns_records$/,
    (call) => {
      const record = { id: randomUUID().replaceAll('-', ''), body: call.json };
      zone(call).dns.set(call.json.name as string, record);
      return { id: record.id, ...call.json };
    },
  ],
  [
    'DELETE',
    /^\/zones\/([^/]+)\/dns_records\/([^/]+)$/,
    (call) => {
      const { dns } = zone(call);
      for (const [host, { id }] of dns) if (id === call.args[1]) dns.delete(host);
      return { id: call.args[1] };
    },
  ],
];

const versionBody = ({ id, at, message }: UploadedVersion) => ({
  id,
  metadata: { created_on: at, author_email: 'you@example.com', source: 'wrangler' },
  annotations: { ...(message && { 'workers/message': message }), 'workers/triggered_by': 'upload' },
  resources: { bindings: [], script: {}, script_runtime: {} },
});

function deploy(target: Worker, version: string, message: string | undefined): Worker['deployments'][number] {
  const last = target.deployments[0]?.at ?? '';
  // Two deployments of one millisecond have an order too.
  const at = [now(), new Date(Date.parse(last || now()) + 1).toISOString()].toSorted().at(-1) ?? now();
  const deployment = { id: randomUUID(), at: last === '' ? now() : at, version, message };
  target.deployments.unshift(deployment);
  return deployment;
}

function putConsumer(call: Call, id: string) {
  const queue = queueById(call);
  const { script_name: script, settings, dead_letter_queue: deadLetterQueue } = call.json;
  const consumer = {
    ...{ id, script: script as string, deadLetterQueue },
    settings: (settings ?? {}) as Record<string, unknown>,
  };
  queue.consumers = [...queue.consumers.filter((other) => other.script !== script), consumer];
  return { consumer_id: id, script, settings };
}

const sessions = new Map<string, Record<string, string>>();

/** Asks for the files that aren't there yet. */
function startAssets({ account, json }: Call) {
  const manifest = json.manifest as Record<string, { hash: string }>;
  const id = randomUUID();
  sessions.set(id, Object.fromEntries(Object.entries(manifest).map(([path, { hash }]) => [path, hash])));
  const missing = [...new Set(Object.values(manifest).map(({ hash }) => hash))].filter(
    (hash) => !account.files.has(hash),
  );
  return { jwt: jwtOf(id), buckets: missing.length === 0 ? [] : [missing] };
}

async function receiveAssets({ account, incoming, note }: Call) {
  const form = await new Response(new Uint8Array(incoming.body), {
    headers: { 'content-type': incoming.type },
  }).formData();
  for (const [hash, file] of form)
    account.files.set(hash, Buffer.from(typeof file === 'string' ? file : await file.text(), 'base64'));
  note(['any_file_hash']);
  return { jwt: jwtOf([...sessions.keys()].at(-1) ?? '') };
}

const jwtOf = (id: string): string => `e30.${Buffer.from(JSON.stringify({ id })).toString('base64url')}.e30`;
const sessionOf = (jwt: string): Record<string, string> =>
  sessions.get(JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')).id) ?? {};

/** A new version of a Worker, at once deployed by PUT. */
async function upload({ account, args: [name = ''], incoming, note }: Call) {
  const form = await new Response(new Uint8Array(incoming.body), {
    headers: { 'content-type': incoming.type },
  }).formData();
  const metadata = JSON.parse(String(form.get('metadata'))) as Record<string, unknown> & {
    bindings?: Binding[];
    annotations?: Record<string, string>;
    assets?: { jwt?: string };
  };
  note(['metadata', 'files']);
  const target = account.workers.get(name) ?? {
    ...{ name, secrets: {}, versions: [], deployments: [], workersDev: false, crons: [] },
  };
  account.workers.set(name, target);
  const modules: Record<string, string> = {};
  for (const [field, file] of form)
    if (field !== 'metadata') modules[field] = typeof file === 'string' ? file : await file.text();
  const bindings = metadata.bindings ?? [];
  for (const binding of bindings)
    if (binding.type === 'secret_text') target.secrets[binding.name] = binding.text as string;
  const assets = Object.entries(sessionOf(metadata.assets?.jwt ?? 'x.e30.x')).flatMap(([path, hash]) => {
    const content = account.files.get(hash);
    return content === undefined ? [] : [[path, content] as const];
  });
  const version: UploadedVersion = {
    ...{ id: randomUUID(), at: now(), message: metadata.annotations?.['workers/message'] },
    ...{ metadata, bindings, modules, assets: Object.fromEntries(assets) },
  };
  target.versions.push(version);
  if (incoming.method === 'PUT') deploy(target, version.id, version.message);
  return {
    ...{ id: incoming.method === 'PUT' ? name : version.id, tag: 't', etag: 'e', entry_point: 'index.js' },
    ...{ startup_time_ms: 1, deployment_id: version.id, metadata: {}, number: target.versions.length },
    resources: { script: { etag: 'e' }, script_runtime: {} },
  };
}
