import type { Person } from '../../lib/accounts/auth/schemas.ts';
import type { Project } from '../../lib/projects/schemas.ts';
import { ask, type Failure } from './ask.ts';
import { onSubmit, report } from './forms.ts';
import { data, fill, forgetFragment, fragment, isSecret, show } from './page.ts';
import { findPerson, signOut, startSigningIn } from './sign-in.ts';

/** `/join#<secret>`. Who comes signed in is asked first; who signs in here said so by the button. */
export async function joinPage(): Promise<void> {
  if (!isSecret()) return show('no-secret');
  startSigningIn(async (person) => {
    const failure = await join();
    if (failure === undefined) return;
    // Signed in all the same: what went wrong belongs to joining.
    confirm(person);
    report('join', failure);
    return;
  });
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
  const person = await findPerson();
  if (person !== undefined) confirm(person);
  else show('sign-in');
}

function confirm({ name, email }: Person): void {
  fill({ name, email });
  show('confirm');
}

async function join(): Promise<Failure | undefined> {
  const { data: project, failure } = await ask<Project>('POST', '/api/v1/account/invitations', {
    secret: fragment,
  });
  if (failure && failure.status !== 404) return failure;
  if (project) {
    const { roles, rights } = data.words;
    fill({ project: project.name, role: roles[project.role], rights: rights[project.role] });
  }
  show(project ? 'joined' : 'refused');
  forgetFragment();
  return;
}
