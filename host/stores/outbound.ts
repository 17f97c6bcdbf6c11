/** What functions reach by `fetch` at names of this host: answered within the process, without a network. All else goes out. */

/** Answers a request to a name of this host. */
export type Service = (request: OutboundRequest) => Promise<Response>;

export interface OutboundRequest {
  path: string;
  /** By their names in lower case. */
  headers: Record<string, string>;
  body: string;
}

const services = new Map<string, Service>();
let isInstalled = false;

/** Answers `fetch` at `origin` (`http://name`) until the returned function is called. */
export function serveOutbound(origin: string, service: Service): () => void {
  install();
  services.set(origin, service);
  return () => services.delete(origin);
}

function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  const network = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : undefined;
    if (url === undefined) return network(input, init);
    const slash = url.indexOf('/', 'https://'.length);
    const service = services.get(slash < 0 ? url : url.slice(0, slash));
    if (service === undefined) return network(input, init);
    const answer = service({
      path: slash < 0 ? '/' : url.slice(slash),
      headers: byLowerCase(init?.headers),
      body: typeof init?.body === 'string' ? init.body : '',
    });
    return init?.signal ? untilAborted(answer, init.signal) : answer;
  };
}

/** The work goes on; who asked no longer waits for it. */
function untilAborted(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function byLowerCase(headers: RequestInit['headers']): Record<string, string> {
  const entries =
    headers instanceof Headers || Array.isArray(headers) ? [...headers] : Object.entries(headers ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [String(name).toLowerCase(), String(value)]));
}
