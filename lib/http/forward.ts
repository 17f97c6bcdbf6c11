import type { Context } from 'hono';
import { unavailable } from '../errors.ts';

/** Another function of ours, reached by a binding. */
export interface ServiceBinding {
  fetch(request: Request): Promise<Response>;
}

/** Hands the request on as it came, with its request id, so that both functions log the same one. */
export async function forward(c: Context, binding: ServiceBinding): Promise<Response> {
  const request = new Request(c.req.raw);
  request.headers.set('X-Request-Id', c.get('requestId'));
  try {
    const response = await binding.fetch(request);
    return new Response(response.body, response);
  } catch (cause) {
    throw unavailable(cause);
  }
}
