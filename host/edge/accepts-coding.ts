/** Whether a client takes a coding of bodies, by its `Accept-Encoding` (RFC 9110 section 12.5.3): named, and not with `q=0`. */
export function acceptsCoding(request: Request, coding: 'br' | 'gzip'): boolean {
  const accepted = request.headers.get('Accept-Encoding') ?? '';
  return new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?(,|$))`).test(accepted);
}
