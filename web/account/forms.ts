import type { Failure } from './ask.ts';
import { allOf, data, say, show } from './page.ts';
import { ruleOf, sentenceOf } from './sentences.ts';

const { words } = data;

/** Entered values by field, without empty fields. */
export type Values = Record<string, string>;

/**
 * Calls `send` when the form is submitted, one call at a time, and shows the failure beside its fields. Empty fields are reported
 * first.
 */
export function onSubmit(id: string, send: (values: Values) => Promise<Failure | undefined>): void {
  const form = document.getElementById(id) as HTMLFormElement | null;
  form?.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (form.ariaBusy) return;
    for (const button of form.querySelectorAll<HTMLElement>('[data-reveal]')) reveal(button, false);
    const values = valuesOf(form);
    const missing = allOf<HTMLInputElement>(`#${id} [required]`).filter(({ name }) => !(name in values));
    clear(form);
    form.ariaBusy = 'true';
    if (missing.length === 0) say(words.busy);
    const failure =
      missing.length > 0
        ? {
            ...NOTHING_SENT,
            details: missing.map(({ name }) => ({ path: name, message: 'must not be empty' })),
          }
        : await send(values);
    form.ariaBusy = null;
    if (failure !== undefined) report(id, failure);
  });
}

const NOTHING_SENT = { status: 0, message: '', retryAfter: 0 };

function valuesOf(form: HTMLFormElement): Values {
  const values: Values = {};
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') values[name] = value;
  return values;
}

const alertOf = (form: HTMLFormElement): HTMLElement => form.querySelector('[role=alert]') as HTMLElement;

function clear(form: HTMLFormElement): void {
  alertOf(form).textContent = '';
  for (const input of form.querySelectorAll('input')) mark(input, '');
}

function mark(input: HTMLInputElement, text: string): void {
  input.ariaInvalid = text === '' ? null : 'true';
  (document.getElementById(`${input.id}-wrong`) as HTMLElement).textContent = text;
}

/**
 * Shows broken rules below their fields and focuses the first such field. Other messages appear above the button, where a screen reader
 * announces them.
 */
export function report(id: string, failure: Failure): void {
  const form = document.getElementById(id) as HTMLFormElement;
  say('');
  const inputs = [...form.querySelectorAll('input')];
  const wrong = inputs.filter(({ name }) => failure.details.some(({ path }) => path === name));
  for (const input of wrong) {
    const rules = failure.details.filter(({ path }) => path === input.name);
    mark(input, rules.map(({ message }) => ruleOf(message)).join(' '));
  }
  if (wrong[0] !== undefined) wrong[0].focus();
  else alertOf(form).textContent = sentenceOf(failure);
}

/** Shows why the page can't load its data. */
export function showUnread(failure: Failure): undefined {
  show('unread');
  report('again', failure);
}

/** Shows or hides a password. Browsers don't save the password of a field that shows it. */
function reveal(button: HTMLElement, isShown?: boolean): void {
  const input = document.getElementById(button.dataset.reveal ?? '') as HTMLInputElement;
  input.type = (isShown ?? input.type === 'password') ? 'text' : 'password';
  button.textContent = input.type === 'text' ? words.hidePassword : words.showPassword;
}

/** Starts the behaviour that all forms share: the buttons beside passwords, and retrying. */
export function startForms(): void {
  for (const button of allOf('[data-reveal]')) button.addEventListener('click', () => reveal(button));
  for (const button of allOf('[data-reload]')) button.addEventListener('click', () => location.reload());
  onSubmit('again', async () => {
    location.reload();
    return;
  });
}
