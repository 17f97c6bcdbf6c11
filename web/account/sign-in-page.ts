import type { Person } from '../../lib/accounts/auth/schemas.ts';
import { onSubmit } from './forms.ts';
import { data, fill, fragment, show } from './page.ts';
import { findPerson, signOut, startResending, startSigningIn } from './sign-in.ts';

/** Waits, while the browser loads the other page. */
const leaveFor = (path: string): Promise<undefined> => {
  location.replace(path);
  return new Promise(() => {});
};

/** `/sign-in`; `#forgot` and `#sign-up` open the other forms. Who came from a view of the dashboard goes back there; others choose. */
export async function signInPage(): Promise<void> {
  const welcome = async ({ name, email, emailConfirmed }: Person): Promise<undefined> => {
    if (emailConfirmed && data.to !== undefined) return leaveFor(data.to);
    fill({ name, email });
    show(emailConfirmed ? 'signed-in' : 'unconfirmed');
  };
  startSigningIn(welcome);
  startResending();
  onSubmit('sign-out', async () => {
    const failure = await signOut();
    if (failure === undefined) show('sign-in');
    return failure;
  });
  const person = await findPerson();
  if (person !== undefined) await welcome(person);
  else show(data.mails && (fragment === 'forgot' || fragment === 'sign-up') ? fragment : 'sign-in');
}
