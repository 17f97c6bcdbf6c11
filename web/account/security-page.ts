import type { ScriptWords } from '../../functions/account/pages/page-words.ts';
import type { Person, SecondFactorSetup, Session } from '../../lib/accounts/auth/schemas.ts';
import { ask, type Failure } from './ask.ts';
import { onSubmit, report, showUnread, type Values } from './forms.ts';
import { allOf, data, fill, say, show } from './page.ts';
import { startSigningIn, withoutBlanks } from './sign-in.ts';

const { words } = data;
const SECOND_FACTOR = '/api/auth/second-factor';

const backupCodes = document.getElementById('backup-codes') as HTMLElement;

/** `/security`: a person's sessions, password and second factor. */
export async function securityPage(): Promise<void> {
  startSigningIn(() => overview());
  onSubmit('end-others', () => change('DELETE', '/api/auth/sessions', 'ended'));
  onSubmit('change-password', ({ revokeKeys, ...values }) =>
    change('POST', '/api/auth/password', 'password', { ...values, revokeKeys: revokeKeys !== undefined }),
  );
  onSubmit('set-up', setUp);
  onSubmit('turn-on', (values) =>
    change('POST', `${SECOND_FACTOR}/confirm`, 'turnedOn', withoutBlanks(values)),
  );
  onSubmit('turn-off', (values) => change('POST', `${SECOND_FACTOR}/remove`, 'turnedOff', values));
  if (data.hasSession) await overview();
  else show('sign-in');
}

/** Loads and shows the current state, with a message about the last change. */
async function overview(done = ''): Promise<undefined> {
  const [session, { data: sessions = [], failure = session.failure }] = await Promise.all([
    ask<Person>('GET', '/api/auth/session'),
    ask<Session[]>('GET', '/api/auth/sessions'),
  ]);
  if (failure?.status === 401) return show('sign-in');
  if (failure) return showUnread(failure);
  const { name, email, secondFactor } = session.data as Person;
  forget();
  fill({ name, email });
  for (const part of allOf('[data-factor]')) part.hidden = part.dataset.factor !== String(secondFactor);
  document.getElementById('sessions')?.replaceChildren(...sessions.map(itemOf));
  (document.getElementById('end-others') as HTMLElement).hidden = sessions.length < 2;
  show('security');
  say(done);
}

/** Clears entered values and values that are shown only once. */
function forget(): void {
  for (const form of document.forms) form.reset();
  fill({ secret: '' });
  backupCodes.replaceChildren();
}

function itemOf({ id, browser, os, current, createdAt }: Session): Node {
  const { content } = document.querySelector('template') as HTMLTemplateElement;
  const item = content.cloneNode(true) as DocumentFragment;
  const name = [browser, os].filter(Boolean).join(', ') || words.unknownBrowser;
  const when = new Date(createdAt).toLocaleString(data.language, { dateStyle: 'medium', timeStyle: 'short' });
  const since = words.since.replace('{when}', when);
  const [title, hint, button] = ['b', '.hint', 'button'].map((part) => item.querySelector(part)) as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  title.textContent = name;
  hint.textContent = current ? `${since} · ${words.thisBrowser}` : since;
  button.ariaLabel = `${button.textContent}: ${name}, ${since}`;
  if (current) button.remove();
  button.addEventListener('click', async () => {
    const failure = await change('DELETE', `/api/auth/sessions/${id}`, 'ended');
    if (failure) report('end-others', failure);
  });
  return item;
}

/** A 404 counts as success: the session or the second factor to remove is already gone. */
async function change(
  method: string,
  path: string,
  done: keyof ScriptWords['done'],
  values?: object,
): Promise<Failure | undefined> {
  const { failure } = await ask(method, path, values);
  return failure && failure.status !== 404 ? failure : overview(words.done[done]);
}

/** Sign-in requires the second factor only after its first code was entered. */
async function setUp(values: Values): Promise<Failure | undefined> {
  const { data: made, failure } = await ask<SecondFactorSetup>('POST', SECOND_FACTOR, values);
  if (failure) return failure;
  forget();
  const secret = new URL(made.uri).searchParams.get('secret') ?? '';
  fill({ secret: secret.replace(/.{4}(?=.)/g, '$& ') });
  (document.getElementById('otpauth') as HTMLAnchorElement).href = made.uri;
  const codes = made.backupCodes.map((code) => {
    const item = document.createElement('li');
    item.textContent = code;
    return item;
  });
  backupCodes.replaceChildren(...codes);
  show('turn-on');
  return;
}
