/** Upstash's REST protocol with its users and their tokens, over a real Redis: what `ACL GENTOKEN` draws signs in as that user. */
import { randomBytes } from 'node:crypto';
import { readBody } from '../../../tooling/endpoint/receive-body.ts';
import { serve } from '../../../tooling/endpoint/serve.ts';
import { startUpstash, type Upstash } from '../../../tooling/upstash/start-upstash.ts';

const MAX_BODY_BYTES = 64 * 1024;

export async function startAclRedis(redisUrl: string): Promise<Upstash> {
  const owner = await startUpstash({ redis: { url: redisUrl } });
  const users = new Map<string, string>();
  const opened = new Map<string, Upstash>([[owner.token, owner]]);

  async function openFor(token: string): Promise<Upstash | undefined> {
    const user = users.get(token);
    const known = opened.get(token);
    if (known !== undefined || user === undefined) return known;
    const url = Object.assign(new URL(redisUrl), { username: user, password: token });
    const made = await startUpstash({ redis: { url: url.href } });
    opened.set(token, made);
    return made;
  }

  const endpoint = await serve(0, async (request) => {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const upstream = await openFor(token);
    const body = await readBody(request, MAX_BODY_BYTES);
    if (upstream === undefined || 'refused' in body)
      return { status: 401, body: JSON.stringify({ error: 'WRONGPASS invalid or missing auth token' }) };
    const [name, what, user = ''] = JSON.parse(body.text) as string[];
    if (upstream === owner && name === 'ACL' && what === 'GENTOKEN') {
      const drawn = randomBytes(24).toString('hex');
      users.set(drawn, user);
      return { status: 200, body: JSON.stringify({ result: drawn }) };
    }
    const answer = await fetch(upstream.url + request.url, {
      ...{ method: 'POST', headers: { Authorization: `Bearer ${upstream.token}` }, body: body.text },
    });
    return { status: answer.status, body: await answer.text() };
  });
  return {
    url: endpoint.origin,
    token: owner.token,
    close: async () => {
      await endpoint.close();
      await Promise.all([...opened.values()].map(({ close }) => close()));
    },
  };
}
