/** Whether browsers reach the service over https. */
export const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');

/**
 * What the names of all cookies begin with. Browsers take a cookie `__Host-` only from the host itself, for all of its paths, over https: no
 * other host of the domain can set it. Over http, on a developer's machine, browsers refuse such cookies.
 */
export const cookiePrefixOf = (publicUrl: string): string =>
  isSecure(publicUrl) ? '__Host-vendor' : 'vendor';

/** The name of the cookie that holds a session's token. */
export const sessionCookieOf = (publicUrl: string): string => `${cookiePrefixOf(publicUrl)}.session_token`;

/** The name of the cookie of a browser that an account was used with (known-browser.ts). */
export const knownBrowserCookieOf = (publicUrl: string): string =>
  `${cookiePrefixOf(publicUrl)}.known_browser`;
