import type { ErrorEnvelope } from '../../lib/http/http-errors.ts';

/** A refusal by the service: the fields of its error envelope. `message` is empty if the answer didn't come from the service. */
export interface Failure {
  status: number;
  message: string;
  details: readonly { path: string; message: string }[];
  /** Seconds until the next attempt, if the answer has them. */
  retryAfter: number;
}

export type Answer<Data> = { data: Data; failure?: undefined } | { data?: undefined; failure: Failure };

/**
 * Sends a request to the service. A redirect is an error. The language is the page's, so that mails have it too, whatever the browser
 * prefers. `Data` is the type of the answer's data.
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
