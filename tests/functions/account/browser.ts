/** A browser that keeps the cookies it gets, for tests of signing in. */
import type { Stack } from '../../../dev/stack.ts';

export const PASSWORD = 'correct horse battery';

let addresses = 0;

/** Each comes from an address of its own, since who isn't signed in is counted by it. */
export function newBrowser(
  stack: Stack,
  cookie = '',
  address = `100.64.${addresses >> 8}.${addresses++ % 256}`,
) {
  const kept = new Map(cookie === '' ? [] : [cookie.split('=') as [string, string]]);
  const jar = () => [...kept].map(([name, value]) => `${name}=${value}`).join('; ');

  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const response = await stack.fetch(path, {
      method,
      address,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(kept.size > 0 && { Cookie: jar() }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0/.test(set)) kept.delete(name);
      else kept.set(name, value);
    }
    return response;
  }

  return {
    send,
    json: async (method: string, path: string, body?: object) => (await send(method, path, body)).json(),
    get cookie() {
      return jar();
    },
  };
}

/** Somebody new, signed in. */
export async function signUp(stack: Stack) {
  const email = `${crypto.randomUUID()}@example.com`;
  const browser = newBrowser(stack);
  const response = await browser.send('POST', '/api/auth/sign-up', { email, password: PASSWORD });
  return { email, browser, response };
}
