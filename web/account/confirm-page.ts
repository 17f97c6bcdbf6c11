import type { Person } from '../../lib/accounts/auth/schemas.ts';
import { ask } from './ask.ts';
import { report, showUnread } from './forms.ts';
import { data, fill, forgetFragment, fragment, isSecret, show } from './page.ts';
import { findPerson, startResending, startSigningIn } from './sign-in.ts';

/** `/confirm-email#<token>`. Confirms the address of whoever is signed in; signing in on this page does too. */
export async function confirmPage(): Promise<void> {
  if (!isSecret()) return show('no-token');
  startSigningIn(confirm);
  startResending();
  const person = await findPerson();
  if (person) await confirm(person);
  else show('sign-in');
}

async function confirm({ name, email }: Person): Promise<undefined> {
  fill({ name, email });
  const { failure } = await ask('POST', '/api/auth/email/confirm', { token: fragment });
  if (!failure) {
    show('email-confirmed');
    forgetFragment();
  } else if (failure.status === 400) {
    show('unconfirmed');
    report('resend', { ...failure, details: [], message: data.words.linkOver });
  } else if (failure.status === 403 || failure.status === 401) {
    show('sign-in');
    report('sign-in', failure);
  } else showUnread(failure);
}
