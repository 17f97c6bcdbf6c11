import { keepDrainable } from './drain.ts';

export interface Service {
  fetch(request: Request): Promise<Response>;
}

/** Hands a request to the Worker behind the edge, with what the edge would know of it. */
export async function passOn(request: Request, service: Service): Promise<Response> {
  const { request: drainable, drain } = keepDrainable(request);
  try {
    const response = await service.fetch(asFromEdge(drainable));
    await drain();
    return response;
  } catch (error) {
    console.error('uncaught:', error);
    return new Response('Internal error\n', { status: 500 });
  }
}

/** The request with `cf.country` and `CF-Connecting-IP`, and without the headers that told them. */
function asFromEdge(request: Request): Request {
  const headers = new Headers(request.headers);
  const country = headers.get('X-Dev-Country');
  const address = headers.get('X-Forwarded-For')?.split(',')[0]?.trim() || '127.0.0.1';
  headers.delete('X-Dev-Country');
  headers.delete('X-Forwarded-For');
  headers.set('CF-Connecting-IP', address);
  const init: RequestInit & { cf: { country?: string } } = {
    headers,
    cf: country === null ? {} : { country },
  };
  return new Request(request, init);
}
