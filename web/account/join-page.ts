import type { Person } from '../../lib/accounts/auth/schemas.ts';
import type { InvitationPreview } from '../../lib/projects/schemas.ts';
import { ask, type Failure } from './ask.ts';
import { onSubmit, report, showUnread } from './forms.ts';
import { data, fill, forgetFragment, fragment, isSecret, show } from './page.ts';
import { findPerson, signOut, startResending, startSigningIn } from './sign-in.ts';

/**
 * `/join#<secret>`. Shows the project of the invitation. A signed-in person is asked to confirm; signing in on this page is the
 * confirmation.
 */
export async function joinPage(): Promise<void> {
  if (!isSecret()) return show('no-secret');
  startResending();
  startSigningIn(
    async (person) => {
      if (!person.emailConfirmed) return confirm(person);
      const failure = await join();
      if (failure === undefined) return;
      // The person is signed in now, so a failure belongs to joining.
      confirm(person);
      report('join', failure);
      return;
    },
    { invitation: fragment },
  );
  onSubmit('join', async () => {
    const failure = await join();
    if (failure?.status !== 401) return failure;
    show('sign-in');
    report('sign-in', failure);
    return;
  });
  document.getElementById('other-account')?.addEventListener('click', async () => {
    const failure = await signOut();
    if (failure === undefined) show('sign-in');
    else report('join', failure);
  });
  const [failure, person] = await Promise.all([preview(), findPerson()]);
  if (failure?.status === 404) end('refused');
  else if (failure) showUnread(failure);
  else if (person) confirm(person);
  else show('sign-in');
}

async function preview(): Promise<Failure | undefined> {
  const { data: invitation, failure } = await ask<InvitationPreview>(
    'POST',
    '/api/v1/account/invitations/preview',
    { secret: fragment },
  );
  if (failure) return failure;
  const { projectName: project, role, expiresAt } = invitation;
  const { roles, rights } = data.words;
  const ends = new Date(expiresAt).toLocaleString(data.language, { dateStyle: 'long', timeStyle: 'short' });
  fill({ project, role: roles[role], rights: rights[role], ends });
  return;
}

/** The link has been used or refused. */
function end(view: 'joined' | 'refused'): undefined {
  show(view);
  forgetFragment();
}

/** Asks whether to join, or first to confirm the address. */
function confirm({ name, email, emailConfirmed }: Person): undefined {
  fill({ name, email });
  show(emailConfirmed ? 'confirm' : 'unconfirmed');
}

async function join(): Promise<Failure | undefined> {
  const { failure } = await ask('POST', '/api/v1/account/invitations', { secret: fragment });
  if (failure && failure.status !== 404) return failure;
  return end(failure ? 'refused' : 'joined');
}
