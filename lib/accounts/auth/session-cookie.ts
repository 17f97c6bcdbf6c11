export const COOKIE_PREFIX = 'vendor';

/** The name of the cookie that holds a session's token. */
export const sessionCookieOf = (publicUrl: string): string =>
  `${publicUrl.startsWith('https:') ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;
