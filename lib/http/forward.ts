import type { Context } from 'hono';
import { unavailable } from '../errors.ts';

/** Another function of this service, reached by a binding. */
export interface ServiceBinding {
  fetch(request: Request): Promise<Response>;
}

/** Forwards the request unchanged, with its request id, so that both functions log the same id. */
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
