/** What Chromium tells of itself with every request (User-Agent Client Hints, the low-entropy ones). */
export interface ClientHints {
  /** As they stand in the header, the made-up one too. */
  brands: readonly string[];
  mobile?: boolean;
  platform?: string;
}

/** A header's length bounds the work that a hostile one can cause. */
const MAX_HEADER_LENGTH = 512;
const QUOTED = /"((?:[^"\\]|\\.)*)"/;
const BRANDS = new RegExp(`${QUOTED.source}\\s*;\\s*v=`, 'g');

/** The three hints that come unasked for, as sent; absent ones are empty. */
export const hintHeaders = (headers: Headers): readonly [string, string, string] => [
  headers.get('Sec-CH-UA') ?? '',
  headers.get('Sec-CH-UA-Mobile') ?? '',
  headers.get('Sec-CH-UA-Platform') ?? '',
];

/** Reads them: structured headers (RFC 8941) of a list of strings, a boolean and a string. Never throws. */
export function readHints([brands, mobile, platform]: readonly [string, string, string]): ClientHints {
  const hints: ClientHints = {
    brands: [...brands.slice(0, MAX_HEADER_LENGTH).matchAll(BRANDS)].flatMap(([, brand]) => brand ?? []),
  };
  if (/^\?[01]$/.test(mobile)) hints.mobile = mobile === '?1';
  const name = QUOTED.exec(platform.slice(0, MAX_HEADER_LENGTH))?.[1];
  if (name !== undefined) hints.platform = name;
  return hints;
}
