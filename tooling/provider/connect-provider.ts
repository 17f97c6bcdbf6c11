/** The few requests to Cloudflare's API that need no bundle. `wrangler deploy` makes the others. */
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { adviceOf, ProviderError } from './provider-error.ts';

const STANDARD_URL = 'https://api.cloudflare.com/client/v4';
const TIMEOUT_MS = 30_000;
/** Pauses before the second and the third try of a request that may be repeated. */
const PAUSES_MS = [500, 2_000] as const;
const PAGES = 100;

export interface ProviderAccess {
  /** What a request sends to prove who asks. */
  headers: Record<string, string>;
  /** Where the API is, if not at Cloudflare: wrangler reads the same variable, CLOUDFLARE_API_BASE_URL. */
  baseUrl?: string | undefined;
  timeoutMs?: number | undefined;
}

const Account = v.object({ id: v.string(), name: v.string() });
export type Account = v.InferOutput<typeof Account>;
const Queue = v.object({ queue_id: v.string(), queue_name: v.string() });
const Metrics = v.object({ backlog_count: v.number(), oldest_message_timestamp_ms: v.optional(v.number()) });
const Secret = v.object({ name: v.string() });
const Script = v.object({ id: v.string() });
const Zone = v.object({ id: v.string(), name: v.string() });
const DnsRecord = v.object({ id: v.string(), type: v.string(), proxied: v.optional(v.boolean()) });
const Annotations = v.optional(v.record(v.string(), v.unknown()));
const Deployment = v.object({
  created_on: v.string(),
  versions: v.array(v.object({ version_id: v.string(), percentage: v.number() })),
  annotations: Annotations,
});
export type Deployment = v.InferOutput<typeof Deployment>;

const Answer = v.object({
  success: v.boolean(),
  errors: v.optional(v.nullable(v.array(v.object({ code: v.optional(v.number()), message: v.string() })))),
  result: v.optional(v.unknown()),
  result_info: v.optional(v.nullable(v.object({ total_pages: v.optional(v.number()) }))),
});

interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  body?: unknown;
  type?: string;
}

/** What is at an account of the provider. */
export type Provider = ReturnType<typeof connectProvider>;

/** Every account that the access reaches. */
export const listAccounts = (access: ProviderAccess): Promise<Account[]> =>
  requester(access).list('/accounts', Account);

/** The verbs on one account. Each throws `ProviderError`. A GET, PATCH, PUT or DELETE that fails passingly is tried three times. */
export function connectProvider(access: ProviderAccess, accountId: string) {
  const { send, list } = requester(access);
  const account = `/accounts/${accountId}`;
  const script = (worker: string): string => `${account}/workers/scripts/${worker}`;
  const orUndefined = <T>(asked: Promise<T>): Promise<T | undefined> =>
    asked.catch((error: unknown) => {
      if (error instanceof ProviderError && error.status === 404) return undefined;
      throw error;
    });
  return {
    accountId,
    /** Name to id. */
    queues: async (): Promise<Map<string, string>> =>
      new Map(
        (await list(`${account}/queues`, Queue)).map(({ queue_name, queue_id }) => [queue_name, queue_id]),
      ),
    createQueue: (name: string) =>
      send(`${account}/queues`, Queue, { method: 'POST', body: { queue_name: name } }),
    deleteQueue: (id: string) =>
      orUndefined(send(`${account}/queues/${id}`, v.unknown(), { method: 'DELETE' })),
    /** How many messages wait in a queue, and since when the oldest does (epoch milliseconds). */
    backlog: async (id: string): Promise<{ messages: number; oldest: number | undefined }> => {
      const { backlog_count, oldest_message_timestamp_ms } = await send(
        `${account}/queues/${id}/metrics`,
        Metrics,
      );
      return { messages: backlog_count, oldest: oldest_message_timestamp_ms || undefined };
    },
    workers: async (): Promise<string[]> =>
      (await list(`${account}/workers/scripts`, Script)).map(({ id }) => id),
    /** Names of a Worker's secrets; undefined if there is no such Worker. */
    secrets: async (worker: string): Promise<string[] | undefined> =>
      (await orUndefined(list(`${script(worker)}/secrets`, Secret)))?.map(({ name }) => name),
    deleteSecret: (worker: string, name: string) =>
      orUndefined(send(`${script(worker)}/secrets/${name}`, v.unknown(), { method: 'DELETE' })),
    /** The newest first; undefined if there is no such Worker. */
    deployments: async (worker: string): Promise<Deployment[] | undefined> =>
      (
        await orUndefined(
          send(`${script(worker)}/deployments`, v.object({ deployments: v.array(Deployment) })),
        )
      )?.deployments.toSorted((a, b) => b.created_on.localeCompare(a.created_on)),
    /** What a version was uploaded with: `workers/message`, `workers/tag`. */
    annotationsOf: async (worker: string, version: string): Promise<Record<string, unknown>> =>
      (await send(`${script(worker)}/versions/${version}`, v.object({ annotations: Annotations })))
        .annotations ?? {},
    /** `force`: also where a secret has changed since that version. */
    deployVersion: (worker: string, version: string, message: string, force: boolean) =>
      send(`${script(worker)}/deployments${force ? '?force=true' : ''}`, v.unknown(), {
        method: 'POST',
        body: {
          strategy: 'percentage',
          versions: [{ version_id: version, percentage: 100 }],
          annotations: { 'workers/message': message },
        },
      }),
    /** Also if other Workers have a binding to it. */
    deleteWorker: (worker: string) =>
      orUndefined(send(`${script(worker)}?force=true`, v.unknown(), { method: 'DELETE' })),
    /** The account's part of workers.dev; undefined if it has none. */
    subdomain: async (): Promise<string | undefined> =>
      (await orUndefined(send(`${account}/workers/subdomain`, v.object({ subdomain: v.string() }))))
        ?.subdomain,
    createSubdomain: (subdomain: string) =>
      send(`${account}/workers/subdomain`, v.unknown(), { method: 'PUT', body: { subdomain } }),
    /** The zone that a host belongs to: the longest of its parents that the account has. */
    zoneOf: async (host: string): Promise<v.InferOutput<typeof Zone> | undefined> => {
      const labels = host.split('.');
      for (let first = 0; first < labels.length - 1; first += 1) {
        const name = labels.slice(first).join('.');
        const [zone] = await list(`/zones?name=${encodeURIComponent(name)}`, Zone);
        if (zone !== undefined) return zone;
      }
      return undefined;
    },
    dnsRecords: (zoneId: string, host: string) =>
      list(`/zones/${zoneId}/dns_records?name=${encodeURIComponent(host)}`, DnsRecord),
    /** A record that only makes Cloudflare answer for the host; the Workers' routes do the rest. */
    createDnsRecord: (zoneId: string, host: string) =>
      send(`/zones/${zoneId}/dns_records`, DnsRecord, {
        method: 'POST',
        body: { type: 'AAAA', name: host, content: '100::', proxied: true, ttl: 1, comment: 'vendor' },
      }),
    deleteDnsRecord: (zoneId: string, id: string) =>
      orUndefined(send(`/zones/${zoneId}/dns_records/${id}`, v.unknown(), { method: 'DELETE' })),
  };
}

function requester({ headers, baseUrl = STANDARD_URL, timeoutMs = TIMEOUT_MS }: ProviderAccess) {
  const ask = async (path: string, { method = 'GET', body, type = 'application/json' }: Call) => {
    const title = `${method} ${path.split('?')[0]}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(baseUrl + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'Content-Type': type }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      text = await response.text();
    } catch (cause) {
      throw new ProviderError(`Cloudflare didn’t answer (${title}). ${adviceOf(0)}`, { status: 0, cause });
    }
    const { status } = response;
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), Answer), text);
    if (!answer.success || !answer.output.success) {
      const fault = answer.success ? answer.output.errors?.[0] : undefined;
      const reason = fault ? `${fault.message}${fault.code ? ` [${fault.code}]` : ''}` : `status ${status}`;
      throw new ProviderError(`Cloudflare refused ${title}: ${reason}. ${adviceOf(status)}`, {
        status: status < 400 ? 502 : status,
        code: fault?.code,
      });
    }
    return answer.output;
  };
  const patiently = async (path: string, call: Call) => {
    // A POST whose answer was lost may have been carried out.
    const pauses = call.method === 'POST' ? [] : PAUSES_MS;
    for (let tries = 0; ; tries += 1) {
      try {
        return await ask(path, call);
      } catch (error) {
        const pause = pauses[tries];
        if (!(error instanceof ProviderError) || !error.passing || pause === undefined) throw error;
        await setTimeout(pause);
      }
    }
  };
  const read = <T>(schema: v.GenericSchema<unknown, T>, result: unknown, path: string): T => {
    const parsed = v.safeParse(schema, result);
    if (parsed.success) return parsed.output;
    throw new ProviderError(`Cloudflare’s answer to ${path} isn’t of the form that this version knows.`, {
      status: 502,
      cause: parsed.issues,
    });
  };
  return {
    send: async <T>(path: string, schema: v.GenericSchema<unknown, T>, call: Call = {}): Promise<T> =>
      read(schema, (await patiently(path, call)).result, path),
    /** All pages. */
    list: async <T>(path: string, schema: v.GenericSchema<unknown, T>): Promise<T[]> => {
      const rows: T[] = [];
      for (let page = 1; page <= PAGES; page += 1) {
        const answer = await patiently(`${path}${path.includes('?') ? '&' : '?'}page=${page}`, {});
        rows.push(...read(v.array(schema), answer.result ?? [], path));
        if (page >= (answer.result_info?.total_pages ?? 1)) break;
      }
      return rows;
    },
  };
}
