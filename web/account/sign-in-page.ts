import type { Person } from '../../lib/accounts/auth/schemas.ts';
import { onSubmit } from './forms.ts';
import { data, fill, fragment, hasView, isSecret, show } from './page.ts';
import { findPerson, signOut, startResending, startSigningIn } from './sign-in.ts';

/** Waits, while the browser loads the other page. */
const leaveFor = (path: string): Promise<undefined> => {
  location.replace(path);
  return new Promise(() => {});
};

/**
 * `/sign-in`; `#forgot`, `#sign-up` and `#first-owner=<token>` open the other forms. Who signs in goes to the dashboard, to the view they came from. Who was signed in
 * already and came from no view chooses: the dashboard, or to sign out.
 */
export async function signInPage(): Promise<void> {
  const welcome = async ({ name, email, emailConfirmed }: Person): Promise<undefined> => {
    if (emailConfirmed && data.to !== undefined) return leaveFor(data.to);
    fill({ name, email });
    show(emailConfirmed ? 'signed-in' : 'unconfirmed');
  };
  const enter = async (person: Person): Promise<undefined> =>
    person.emailConfirmed ? leaveFor(data.to ?? data.home) : welcome(person);
  startSigningIn(enter, { firstOwner: fragment.slice(fragment.indexOf('=') + 1) });
  startResending();
  onSubmit('sign-out', async () => {
    const failure = await signOut();
    if (failure === undefined) show('sign-in');
    return failure;
  });
  const person = await findPerson();
  if (person !== undefined) await welcome(person);
  else if (fragment.startsWith('first-owner')) show(isSecret() ? 'first-owner' : 'no-token');
  else show((fragment === 'forgot' || fragment === 'sign-up') && hasView(fragment) ? fragment : 'sign-in');
}
