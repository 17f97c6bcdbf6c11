import type { Person } from '../../lib/accounts/auth/schemas.ts';
import { ask, type Failure } from './ask.ts';
import { onSubmit, type Values } from './forms.ts';
import { allOf, data, fill, say, show } from './page.ts';
import type { View } from './page-words.ts';

interface SignedIn {
  user: Person | null;
}

/** Called with the signed-in person. The form shows the failure that it resolves with. */
type Then = (person: Person) => Promise<Failure | undefined>;

/** The signed-in person, if any. Asks the service only if the browser has a session's cookie. */
export async function findPerson(): Promise<Person | undefined> {
  if (!data.hasSession) return undefined;
  return (await ask<Person>('GET', '/api/auth/session')).data;
}

/** Resolves with the failure, if any. Being signed out already isn't a failure. */
export async function signOut(): Promise<Failure | undefined> {
  const { failure } = await ask('POST', '/api/auth/sign-out');
  return failure?.status === 401 ? undefined : failure;
}

/** What the page's link says of whoever makes an account. */
interface Admission {
  invitation?: string;
  firstOwner?: string;
}

/** Starts the forms for signing in and up, for the second factor and for a forgotten password. */
export function startSigningIn(then: Then, { invitation, firstOwner }: Admission = {}): void {
  const send =
    (path: string) =>
    async (values: Values): Promise<Failure | undefined> => {
      const { data: signedIn, failure } = await ask<SignedIn>('POST', path, values);
      if (failure) return failure;
      if (signedIn.user !== null) return then(signedIn.user);
      show('code');
      return;
    };
  const sendCode = (values: Values) => send('/api/auth/sign-in/second-factor')(withoutBlanks(values));

  onSubmit('sign-in', send('/api/auth/sign-in'));
  const signUp = send('/api/auth/sign-up');
  onSubmit('sign-up', (values) => signUp({ ...values, ...(invitation && { invitation }) }));
  onSubmit('first-owner', (values) => signUp({ ...values, ...(firstOwner && { firstOwner }) }));
  onSubmit('code', sendCode);
  onSubmit('backup', sendCode);
  onSubmit('forgot', async (values) => {
    const { failure } = await ask('POST', '/api/auth/password/reset-request', values);
    if (failure) return failure;
    fill({ email: values.email ?? '' });
    show('sent');
    return;
  });
  for (const button of allOf('[data-show]'))
    button.addEventListener('click', () => {
      takeAddressAlong();
      show(button.dataset.show as View);
    });
}

/** Starts the form that mails another link to confirm the address. */
export function startResending(): void {
  onSubmit('resend', async () => {
    const { failure } = await ask('POST', '/api/auth/email/confirm-request');
    if (!failure) say(data.words.mailed);
    return failure;
  });
}

/** Removes the blanks with which apps group a code. */
export const withoutBlanks = ({ code = '' }: Values): Values => ({ code: code.replace(/\s/g, '') });

/** Copies an entered mail address to the other views. */
function takeAddressAlong(): void {
  const inputs = allOf<HTMLInputElement>('[name=email]');
  const typed = inputs.find(({ value, offsetParent }) => value !== '' && offsetParent !== null);
  if (typed !== undefined) for (const input of inputs) input.value = typed.value;
}
