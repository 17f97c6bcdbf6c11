/** Mails of the whole service, read from the folder that `npm run dev` writes them to. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Language } from '../../../lib/languages.ts';
import { MAILS } from '../../../lib/mails.ts';
import { useOwnStack } from '../../services/use-stack.ts';
import { newBrowser, PASSWORD, signUp } from './browser.ts';

const mailFolder = mkdtempSync(join(tmpdir(), 'vendor-mail-'));
afterAll(() => rmSync(mailFolder, { recursive: true }));
const stack = useOwnStack({ guides: [], mailFolder });

const asked: [header: string | undefined, language: Language][] = [
  [undefined, 'en'],
  ['fr-FR, fr;q=0.9', 'en'],
  ['es-MX, en;q=0.5', 'es'],
  ['en;q=0.5, pt-BR', 'pt-PT'],
];
const inLanguage = (header: string | undefined) =>
  header === undefined ? {} : { 'Accept-Language': header };

/** The only mail to an address with a link to a page, its link, and the file of it. */
function mailTo(email: string, page: string) {
  const files = readdirSync(mailFolder).map((name) => readFileSync(join(mailFolder, name), 'utf8'));
  const found = files.filter((file) => file.includes(`\nTo: ${email}\n`) && file.includes(`/${page}#`));
  expect(found).toHaveLength(1);
  return { file: found[0] ?? '', url: /https?:\S+/.exec(found[0] ?? '')?.[0] ?? '' };
}

const fileOf = (email: string, { subject, text }: { subject: string; text: string }) =>
  expect.stringContaining(`To: ${email}\nSubject: ${subject}\n\n${text}`);

test.each(asked)(
  'asked for with Accept-Language %s, a new password is mailed in %s',
  async (header, language) => {
    const { email } = await signUp(stack());
    const path = '/api/auth/password/reset-request';
    const response = await newBrowser(stack()).send('POST', path, { email }, inLanguage(header));
    expect(response.status).toBe(202);
    const { file, url } = mailTo(email, 'reset-password');
    expect(url).toMatch(/\/reset-password#[A-Za-z0-9]{24}$/);
    expect(file).toEqual(fileOf(email, MAILS[language].passwordReset(url)));
  },
);

test.each(asked)('who signs up with Accept-Language %s gets a link in %s', async (header, language) => {
  const email = `${crypto.randomUUID()}@example.com`;
  const signUp = { email, password: PASSWORD };
  const response = await newBrowser(stack()).send('POST', '/api/auth/sign-up', signUp, inLanguage(header));
  expect(response.status).toBe(201);
  const { file, url } = mailTo(email, 'confirm-email');
  expect(file).toEqual(fileOf(email, MAILS[language].confirmation(url, 24)));
});

test.each(asked)(
  'asked for with Accept-Language %s, an invitation is mailed in %s',
  async (header, language) => {
    const { browser } = await signUp(stack());
    const { data } = await browser.json('GET', '/api/v1/projects');
    const email = `${crypto.randomUUID()}@example.com`;
    const path = `/api/v1/projects/${data[0].id}/members`;
    const made = await browser.send('POST', path, { role: 'viewer', email }, inLanguage(header));
    const { url } = (await made.json()).data;
    expect(mailTo(email, 'join').url).toBe(url);
    expect(mailTo(email, 'join').file).toEqual(fileOf(email, MAILS[language].invitation(url, 7)));
  },
);
