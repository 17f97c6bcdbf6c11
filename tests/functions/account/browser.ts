/** A browser that keeps its cookies, for tests of signing in. */
import type { Stack } from '../../../dev/stack.ts';

export const PASSWORD = 'correct horse battery';

let addresses = 0;

/** Each browser has another address, because limits count by address before sign-in. */
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

/** Somebody new, signed in, whose address isn't confirmed. */
export async function signUpUnconfirmed(stack: Stack, email = `${crypto.randomUUID()}@example.com`) {
  const browser = newBrowser(stack);
  const response = await browser.send('POST', '/api/auth/sign-up', { email, password: PASSWORD });
  return { email, browser, response };
}

/** Somebody new, signed in, who opened the mailed link. */
export async function signUp(stack: Stack) {
  const signedUp = await signUpUnconfirmed(stack);
  const token = mailedToken(stack, signedUp.email, 'confirm-email');
  const { status } = await signedUp.browser.send('POST', '/api/auth/email/confirm', { token });
  if (status !== 204) throw new Error(`The address was not confirmed: ${status}`);
  return signedUp;
}

/** What the link of the newest mail to an address has after its `#`; undefined: no such mail. */
export function mailedToken(stack: Stack, email: string, page: string): string | undefined {
  const mails = stack.mail.sent.filter(({ to, text }) => to === email && text.includes(`/${page}#`));
  return /#(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1];
}
