import { DomainError } from '../errors.ts';

export type OtlpType = 'protobuf' | 'json';
export type OtlpEncoding = 'gzip' | 'identity';

/** The answer has the same type as the request. */
export const MEDIA_TYPES: Record<OtlpType, string> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

const unsupported = (message: string): DomainError => new DomainError('UNSUPPORTED_MEDIA_TYPE', message);

/** Reads a `Content-Type` and ignores its parameters. Throws `UNSUPPORTED_MEDIA_TYPE`. */
export function readOtlpType(contentType: string | null): OtlpType {
  const [mediaType = ''] = (contentType ?? '').split(';');
  switch (mediaType.trim().toLowerCase()) {
    case MEDIA_TYPES.protobuf:
      return 'protobuf';
    case MEDIA_TYPES.json:
      return 'json';
    default:
      throw unsupported(`Send ${MEDIA_TYPES.protobuf} or ${MEDIA_TYPES.json}.`);
  }
}

/** Reads a `Content-Encoding`. Throws `UNSUPPORTED_MEDIA_TYPE`. */
export function readOtlpEncoding(contentEncoding: string | null): OtlpEncoding {
  switch ((contentEncoding ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return 'identity';
    case 'gzip':
      return 'gzip';
    default:
      throw unsupported('Send the body compressed by gzip, or not at all.');
  }
}
