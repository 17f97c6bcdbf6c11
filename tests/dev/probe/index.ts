/** A Worker that answers with what reached it. */
interface Bindings {
  QUEUE?: { send(body: unknown, options: { contentType: 'json' }): Promise<void> };
}

interface Batch {
  queue: string;
  messages: { body: { fails?: boolean }; attempts: number }[];
}

export default {
  async fetch(request: Request & { cf?: unknown }, env: Bindings): Promise<Response> {
    if (request.url.endsWith('/throw')) throw new Error('as asked');
    if (request.url.endsWith('/redirect')) return Response.redirect('https://elsewhere.test/', 302);
    if (request.url.endsWith('/length')) return Response.json((await request.arrayBuffer()).byteLength);
    if (request.method === 'POST') await env.QUEUE?.send(await request.json(), { contentType: 'json' });
    const headers = Object.fromEntries(request.headers);
    return Response.json({ url: request.url, cf: request.cf ?? null, headers, env: Object.keys(env) });
  },

  async queue({ queue, messages }: Batch): Promise<void> {
    console.log(`${queue} ${JSON.stringify(messages.map(({ body, attempts }) => [body, attempts]))}`);
    if (queue === 'probe' && messages.some(({ body }) => body.fails)) throw new Error('refused');
  },

  async scheduled({ cron, scheduledTime }: { cron: string; scheduledTime: number }): Promise<void> {
    console.log(`cron ${cron} ${scheduledTime}`);
    if (cron === 'fails') throw new Error('refused');
  },
};
