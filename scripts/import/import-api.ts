import * as v from 'valibot';
import { Import, ImportDetail, ImportRoom } from '../../lib/imports/schemas.ts';
import type { ImportTarget } from '../../lib/imports/send-import.ts';

/** The service refused, or didn't answer. The message is the service's own sentence. */
export class ServiceError extends Error {
  override name = 'ServiceError';
}

interface Access {
  /** The service's address: `https://vendor.example`. */
  url: string;
  /** An API token. */
  token: string;
  siteId: string;
  /** Waits for a number of milliseconds. */
  wait: (ms: number) => Promise<unknown>;
}

const ATTEMPTS = 8;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_S = 120;
const DEADLINE_MS = 60_000;
const Refusal = v.object({
  message: v.string(),
  details: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
});

/** The imports of a site over HTTP. What was limited, lost or out of reach is sent again: pieces count once. */
export function importApi({ url, token, siteId, wait }: Access): ImportTarget {
  const base = new URL(`/api/v1/sites/${siteId}/imports`, url);

  async function send(method: string, path: string, body?: object): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(`${base}${path}`, {
        method,
        // A token goes to the named address and to no other.
        redirect: 'error',
        signal: AbortSignal.timeout(DEADLINE_MS),
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch((cause: unknown) => new ServiceError(`${base.origin} can't be reached`, { cause }));
      if (response instanceof Response && response.ok)
        return response.status === 204 ? undefined : ((await response.json()) as { data: unknown }).data;
      const isPassing = response instanceof Error || response.status === 429 || response.status >= 500;
      if (!isPassing || attempt === ATTEMPTS)
        throw response instanceof Error ? response : await refusalOf(response);
      const asked = response instanceof Response ? Number(response.headers.get('Retry-After')) : 0;
      if (response instanceof Response) await response.body?.cancel();
      await wait(asked > 0 ? Math.min(asked, MAX_WAIT_S) * 1000 : FIRST_WAIT_MS * 2 ** (attempt - 1));
    }
  }

  return {
    list: async () => v.parse(ImportRoom, await send('GET', '')),
    get: async (importId) => v.parse(ImportDetail, await send('GET', `/${importId}`)),
    begin: async (begin) => v.parse(Import, await send('POST', '', begin)),
    add: async (importId, piece) => {
      await send('POST', `/${importId}/pieces`, piece);
    },
    finish: async (importId, pieces) =>
      v.parse(Import, await send('POST', `/${importId}/finish`, { pieces })),
    undo: async (importId) => {
      await send('DELETE', `/${importId}`);
    },
  };
}

async function refusalOf(response: Response): Promise<ServiceError> {
  const { success, output } = v.safeParse(Refusal, await response.json().catch(() => undefined));
  if (!success) return new ServiceError(`The service answered ${response.status}.`);
  const details = (output.details ?? []).map(({ path, message }) => `${path} ${message}`);
  return new ServiceError([output.message, ...details].join('\n'));
}
