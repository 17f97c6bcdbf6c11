import { keepDrainable } from './drain.ts';

export interface Service {
  fetch(request: Request): Promise<Response>;
}

/** Passes a request to the Worker behind the edge, with the fields that the edge would set. */
export async function passOn(request: Request, service: Service): Promise<Response> {
  try {
    const { request: drainable, drain } = await keepDrainable(request);
    const response = await service.fetch(asFromEdge(drainable));
    await drain();
    return response;
  } catch (error) {
    console.error('uncaught:', error);
    return new Response('Internal error\n', { status: 500 });
  }
}

/** The headers by which a developer chooses where a request comes from. */
const CHOICES: Record<string, (value: string) => Record<string, string | number>> = {
  'X-Dev-Country': (country) => ({ country }),
  'X-Dev-Region': (regionCode) => ({ regionCode }),
  'X-Dev-City': (city) => ({ city }),
  'X-Dev-Asn': (asn) => ({ asn: Number(asn) }),
};

/** Sets `cf` and `CF-Connecting-IP` from these headers, and removes the headers. */
function asFromEdge(request: Request): Request {
  const headers = new Headers(request.headers);
  const address = headers.get('X-Forwarded-For')?.split(',')[0]?.trim() || '127.0.0.1';
  const cf: Record<string, string | number> = {};
  for (const [name, choose] of Object.entries(CHOICES)) {
    const value = headers.get(name);
    if (value !== null) Object.assign(cf, choose(value));
    headers.delete(name);
  }
  headers.delete('X-Forwarded-For');
  headers.set('CF-Connecting-IP', address);
  const init: RequestInit & { cf: Record<string, string | number> } = { headers, cf };
  return new Request(request, init);
}
