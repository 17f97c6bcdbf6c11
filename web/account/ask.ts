import type { ErrorEnvelope } from '../../lib/http/errors.ts';

/** Why the service refused: its envelope, or `message` empty where nothing of the service's came. */
export interface Failure {
  status: number;
  message: string;
  details: readonly { path: string; message: string }[];
  /** Seconds, if the answer said when to come back. */
  retryAfter: number;
}

export type Answer<Data> = { data: Data; failure?: undefined } | { data?: undefined; failure: Failure };

/**
 * Asks the service itself, and nobody else: a redirect is an error. It writes mails in the page's language, whatever the browser
 * prefers. `Data` is what its document says of the route.
 */
export async function ask<Data = undefined>(
  method: string,
  path: string,
  body?: object,
): Promise<Answer<Data>> {
  let status = 0;
  try {
    const response = await fetch(path, {
      method,
      redirect: 'error',
      headers: {
        'Accept-Language': document.documentElement.lang,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    status = response.status;
    const text = await response.text();
    const answer = text === '' ? {} : JSON.parse(text);
    if (response.ok) return { data: answer.data };
    const { message, details = [] } = answer as ErrorEnvelope;
    return { failure: { status, message, details, retryAfter: Number(response.headers.get('Retry-After')) } };
  } catch {
    return { failure: { status, message: '', details: [], retryAfter: 0 } };
  }
}
