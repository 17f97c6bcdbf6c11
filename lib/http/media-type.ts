import { DomainError } from '../errors.ts';

/**
 * Refuses a body with a type that isn't accepted, with a charset other than UTF-8, or with compression. Throws `UNSUPPORTED_MEDIA_TYPE`.
 */
export function requireMediaType(headers: Headers, accepted: readonly string[]): void {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((p) => p.startsWith('charset='));
  const encoding = headers.get('content-encoding') ?? 'identity';
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (accepted.includes(type.trim()) && isUtf8 && encoding === 'identity') return;
  throw new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Send the body uncompressed, in UTF-8, as ${accepted.join(' or ')}.`,
  );
}
