import { expect, test } from 'vitest';
import {
  confirmEmail,
  mailConfirmation,
  requestConfirmation,
} from '../../../../lib/accounts/auth/email-confirmation.ts';
import type { Mail } from '../../../../lib/mail.ts';
import { createConfirmation, TEST_AUTH_KEY } from '../../../security/session.ts';
import { outcomeOf, type SignedPerson, signIn } from '../../../security/team.ts';
import { createPerson, createUnconfirmed } from '../../../security/tenant.ts';
import { useDatabase } from '../../../services/database.ts';

const database = useDatabase();
const KEYS = { current: TEST_AUTH_KEY };

const unconfirmed = async () => signIn(database().sql, await createUnconfirmed(database().sql));
const isConfirmed = async ({ userId }: SignedPerson) => {
  const [row] = await database().sql`select email_verified from users where id = ${userId}`;
  return row?.email_verified;
};
/** The context of a person, and the mails that it sends. */
function mailing({ ctx }: SignedPerson) {
  const mails: Mail[] = [];
  return {
    mails,
    ctx: { ...ctx, authKeys: KEYS, sendConfirmation: async (mail: Mail) => void mails.push(mail) },
  };
}
const tokenIn = (mails: Mail[]) =>
  /https:\/\/vendor\.example\/confirm-email#(\S+)\n/.exec(mails[0]?.text ?? '')?.[1] ?? '';

test('a mailed link confirms the address of who is signed in', async () => {
  const person = await unconfirmed();
  const { ctx, mails } = mailing(person);
  await requestConfirmation(ctx);
  expect(mails).toMatchObject([
    { to: person.email, subject: 'Confirm your e-mail address', text: expect.stringContaining('24 hours') },
  ]);
  const token = tokenIn(mails);
  const { iat, exp, email } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect([email, exp - iat]).toEqual([person.email, 24 * 60 * 60]);
  await confirmEmail(ctx, { token });
  expect(await isConfirmed(person)).toBe(true);
  expect(await outcomeOf(requestConfirmation(ctx))).toBe('CONFLICT');
  expect(mails).toHaveLength(1);
});

test('a link confirms no other account', async () => {
  const [person, other] = [await unconfirmed(), await unconfirmed()];
  const token = createConfirmation(person.email);
  expect(await outcomeOf(confirmEmail({ ...other.ctx, authKeys: KEYS }, { token }))).toBe('FORBIDDEN');
  expect([await isConfirmed(person), await isConfirmed(other)]).toEqual([false, false]);
});

test('addresses are the same in upper and lower case', async () => {
  const { sql } = database();
  const person = await unconfirmed();
  await sql`update users set email = upper(email) where id = ${person.userId}`;
  await confirmEmail({ ...person.ctx, authKeys: KEYS }, { token: createConfirmation(person.email) });
  expect(await isConfirmed(person)).toBe(true);
});

test('either key’s links are right while a rotation lasts', async () => {
  const person = await unconfirmed();
  const token = createConfirmation(person.email);
  const current = 'n'.repeat(32);
  const confirm = (previous?: string) =>
    outcomeOf(confirmEmail({ ...person.ctx, authKeys: { current, previous } }, { token }));
  expect([await confirm(), await confirm('o'.repeat(32)), await confirm(TEST_AUTH_KEY)]).toEqual([
    ...['VALIDATION_ERROR', 'VALIDATION_ERROR', 'done'],
  ]);
});

test('a token of another kind confirms nothing', async () => {
  const person = await unconfirmed();
  const token = createConfirmation(undefined as unknown as string);
  for (const wrong of [token, createConfirmation(person.email).slice(0, -1), 'a.b.c'])
    expect(await outcomeOf(confirmEmail({ ...person.ctx, authKeys: KEYS }, { token: wrong })), wrong).toBe(
      'VALIDATION_ERROR',
    );
  expect(await isConfirmed(person)).toBe(false);
});

test('a mail is in the language of the call, and its errors are the caller’s', async () => {
  const person = await signIn(database().sql, await createPerson(database().sql));
  const { ctx, mails } = mailing(person);
  await mailConfirmation({ ...ctx, language: 'es' }, { email: 'ada@example.com' });
  expect(mails).toMatchObject([{ to: 'ada@example.com', subject: 'Confirma tu dirección de correo' }]);
  const error = new Error('no mail');
  const failing = { ...ctx, sendConfirmation: () => Promise.reject(error) };
  await expect(mailConfirmation(failing, { email: 'ada@example.com' })).rejects.toBe(error);
});
