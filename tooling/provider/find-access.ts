import * as v from 'valibot';
import type { ProviderAccess } from './connect-provider.ts';
import { runWrangler, type WranglerResult } from './run-wrangler.ts';

const Credentials = v.variant('type', [
  v.object({ type: v.literal('api_token'), token: v.string() }),
  v.object({ type: v.literal('oauth'), token: v.string() }),
  v.object({ type: v.literal('api_key'), key: v.string(), email: v.string() }),
]);

/**
 * The access that wrangler has: CLOUDFLARE_API_TOKEN, or that of `wrangler login`, which wrangler renews if it must. Throws a sentence
 * for the operator.
 */
export async function findAccess(
  env: Readonly<Record<string, string | undefined>>,
  run: (args: string[]) => Promise<WranglerResult> = (args) => runWrangler(args),
): Promise<ProviderAccess> {
  const baseUrl = env.CLOUDFLARE_API_BASE_URL || undefined;
  if (env.CLOUDFLARE_API_TOKEN) return { headers: bearer(env.CLOUDFLARE_API_TOKEN), baseUrl };
  const { output } = await run(['auth', 'token', '--json']);
  const start = output.indexOf('{');
  const parsed = v.safeParse(
    v.pipe(v.string(), v.parseJson(), Credentials),
    output.slice(Math.max(0, start)),
  );
  if (!parsed.success)
    throw new Error(
      'There is no access to Cloudflare. Run npx wrangler login, or set CLOUDFLARE_API_TOKEN; then run this again.',
    );
  const found = parsed.output;
  return {
    headers:
      found.type === 'api_key'
        ? { 'X-Auth-Key': found.key, 'X-Auth-Email': found.email }
        : bearer(found.token),
    baseUrl,
  };
}

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
