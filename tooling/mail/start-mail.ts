/** Stands in for a mail service: receives the mails of `lib/mail.ts` and sends nothing. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mail } from '../../lib/mail.ts';
import { readBody } from '../endpoint/receive-body.ts';
import { type Answer, serve } from '../endpoint/serve.ts';

const MAX_MAIL_BYTES = 64 * 1024;

export interface MailOptions {
  /** Writes each mail to a file here, named by its time. Undefined: mails stay in memory. */
  folder?: string | undefined;
}

export async function startMail({ folder }: MailOptions) {
  const token = randomBytes(16).toString('hex');
  const sent: Mail[] = [];
  const { origin, close } = await serve(0, async (request): Promise<Answer> => {
    if (request.headers.authorization !== `Bearer ${token}`) return { status: 401, body: '{}' };
    const body = await readBody(request, MAX_MAIL_BYTES);
    if ('refused' in body) return { status: 413, body: '{}' };
    const { from, to, subject, text, html, headers } = JSON.parse(body.text) as Omit<Mail, 'to'> & {
      from: string;
      to: string[];
    };
    const id = request.headers['idempotency-key'];
    for (const recipient of to)
      sent.push({
        ...{ to: recipient, subject, text },
        ...(html && { html }),
        ...(headers && { headers }),
        ...(typeof id === 'string' && { id }),
      });
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true });
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${sent.length}.txt`;
      const lines = [`From: ${from}`, `To: ${to.join(', ')}`, `Subject: ${subject}`, '', text];
      await writeFile(join(folder, name), lines.join('\n'), { mode: 0o600 });
    }
    return { status: 200, body: '{}' };
  });
  return { url: `${origin}/emails`, token, sent, close };
}
