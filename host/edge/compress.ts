/** Compresses answers as the edge does. Static files are compressed once, at the start (`assets.ts`). */
import { acceptsCoding } from './accepts-coding.ts';

const TEXT = /^(text\/(?!event-stream)|application\/(json|xml|manifest\+json|[\w.-]+\+(json|xml)))/i;
/** Below this a packet carries the answer anyway. */
const MIN_BYTES = 1_024;

export function compressed(request: Request, response: Response): Response {
  if (request.method !== 'GET' || response.status !== 200 || response.body === null) return response;
  const { headers: given } = response;
  const length = given.get('Content-Length');
  if (given.has('Content-Encoding') || !TEXT.test(given.get('Content-Type') ?? '')) return response;
  if (length !== null && Number(length) < MIN_BYTES) return response;
  if (given.get('Cache-Control')?.includes('no-transform')) return response;
  if (!acceptsCoding(request, 'gzip')) return response;
  const headers = new Headers(given);
  headers.delete('Content-Length');
  headers.set('Content-Encoding', 'gzip');
  headers.append('Vary', 'Accept-Encoding');
  const etag = headers.get('ETag');
  if (etag !== null && !etag.startsWith('W/')) headers.set('ETag', `W/${etag}`);
  return new Response(response.body.pipeThrough(new CompressionStream('gzip')), { status: 200, headers });
}
