/** Where mails go: to the SMTP server, or to files in the data folder, which the operator reads. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import * as v from 'valibot';

/** As `lib/mail.ts` posts it. */
const PostedMail = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    from: v.string(),
    to: v.array(v.string()),
    subject: v.string(),
    text: v.string(),
    html: v.optional(v.string()),
    headers: v.optional(v.record(v.string(), v.string())),
  }),
);
export type PostedMail = v.InferOutput<typeof PostedMail>;

const TIMEOUT_MS = 4_000;

/** Rejects if the mail isn't accepted. */
export type TakeMail = (mail: PostedMail) => Promise<void>;

/** @param url `smtp://user:password@host:587`, `smtps://…:465` */
export function smtpMails(url: string): TakeMail {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return async (mail) => void (await transport.sendMail(mail));
}

/** Writes each mail to a file of its own, named by its time, and logs where it is. */
export function fileMails(folder: string, log: (line: string) => void): TakeMail {
  let written = 0;
  return async ({ from, to, subject, text }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    written += 1;
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}-${written}.txt`;
    const lines = [`From: ${from}`, `To: ${to.join(', ')}`, `Subject: ${subject}`, '', text, ''];
    await writeFile(join(folder, name), lines.join('\n'), { mode: 0o600 });
    log(`a mail lies in ${join(folder, name)}`);
  };
}

/** Answers as a mail service does: 200 after the mail was accepted, 502 if it wasn't. */
export async function answerMail(take: TakeMail, body: string): Promise<Response> {
  const mail = v.safeParse(PostedMail, body);
  if (!mail.success) return Response.json({ error: 'malformed' }, { status: 422 });
  try {
    await take(mail.output);
    return Response.json({});
  } catch (error) {
    console.error(`mail not accepted: ${error instanceof Error ? error.message : error}`);
    return Response.json({ error: 'not accepted' }, { status: 502 });
  }
}
