import { unavailable } from './errors.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends one mail. Resolves when the service has taken it; throws `UNAVAILABLE` otherwise. */
export type SendMail = (mail: Mail) => Promise<void>;

export interface MailAddress {
  /** Where mails are posted to, as `{from, to, subject, text}` in JSON. */
  url: string;
  /** Sent as `Authorization: Bearer`. */
  token: string;
  /** Whom they are from: `Vendor <no-reply@vendor.example>`. */
  from: string;
}

const TIMEOUT_MS = 5000;

/** Mail by one HTTP request each, in the form that Resend and services like it take. */
export function connectMail({ url, token, from }: MailAddress): SendMail {
  return async ({ to, subject, text }) => {
    let cause: unknown;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ from, to: [to], subject, text }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.ok) return;
      cause = new Error(`The mail service answered ${response.status}.`);
    } catch (error) {
      cause = error;
    }
    throw unavailable(cause);
  };
}
