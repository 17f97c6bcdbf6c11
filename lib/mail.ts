import { unavailable } from './errors.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same for readers that show HTML. */
  html?: string;
  headers?: Readonly<Record<string, string>>;
  /** The same mail sent twice is one to the mail service, if it knows `Idempotency-Key`. */
  id?: string;
}

/** Sends one mail. Resolves when the mail service has accepted it; throws `UNAVAILABLE` otherwise. */
export type SendMail = (mail: Mail) => Promise<void>;

export interface MailAddress {
  /** The address that mails are posted to, as JSON `{from, to, subject, text, html?, headers?}`. */
  url: string;
  /** Bearer token for the `Authorization` header. */
  token: string;
  /** The sender: `Vendor <no-reply@vendor.example>`. */
  from: string;
}

const TIMEOUT_MS = 5000;

/** Sends each mail with one HTTP request, in the form that Resend and similar services accept. */
export function connectMail({ url, token, from }: MailAddress): SendMail {
  return async ({ to, subject, text, html, headers, id }) => {
    let cause: unknown;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          ...(id !== undefined && { 'Idempotency-Key': id }),
        },
        body: JSON.stringify({
          from,
          to: [to],
          subject,
          text,
          ...(html && { html }),
          ...(headers && { headers }),
        }),
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
