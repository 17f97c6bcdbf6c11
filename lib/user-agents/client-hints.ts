/** What Chromium sends about itself with every request: the low-entropy User-Agent Client Hints. */
export interface ClientHints {
  /** As in the header, with the made-up one (GREASE). */
  brands: readonly string[];
  mobile?: boolean;
  platform?: string;
}

/** A header's length bounds the work that a hostile one can cause. */
const MAX_HEADER_LENGTH = 512;
const QUOTED = /"((?:[^"\\]|\\.)*)"/;
const BRANDS = new RegExp(`${QUOTED.source}\\s*;\\s*v=`, 'g');

/** The three hints that browsers send without being asked, as sent; absent ones are empty. */
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
