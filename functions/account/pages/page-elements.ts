/** Elements of the pages: views, forms, fields. All of their texts are in the words. */
import { html } from 'hono/html';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../lib/accounts/auth/schemas.ts';
import type { PageName } from '../../../web/account/page-data.ts';
import type { View, Words } from '../../../web/account/page-words.ts';

/** The output of hono/html: escaped HTML. */
export type Markup = ReturnType<typeof html>;

export interface PageContext {
  words: Words;
  /** `?lang=es` if the reader chose a language, so that links keep it; else empty. */
  query: string;
  page: PageName;
  /** The address of the dashboard that the page leads to. */
  to: string;
  /** The page offers to make an account. */
  signUp: boolean;
  /** People may forget their password: a link for a new one is mailed, or kept for whoever runs the service. */
  mails: boolean;
}

/** A sentence with a placeholder for each `{name}`. The script fills the placeholders. */
export const sentence = (text: string): Markup[] =>
  text
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<b data-fill="${part}"></b>`));

/** One state of a page. The script shows one view at a time. */
export function view({ words }: PageContext, name: View, body: Markup | Markup[], isShown = false): Markup {
  const { title, lead } = words.views[name];
  return html`
<section data-view="${name}" aria-labelledby="${name}-title"${isShown ? '' : html` hidden`}>
<h1 id="${name}-title" tabindex="-1">${sentence(title)}</h1>
${lead === '' ? '' : html`<p class="lead">${sentence(lead)}</p>`}${body}
</section>`;
}

/** A form that only the script submits. A field's error appears below the field, other errors above the button. */
export const form = (
  name: string,
  fields: Markup[],
  button: string,
  kind: 'main' | 'second' = 'main',
): Markup => html`
<form id="${name}" method="post" novalidate>${fields}
<p class="wrong" role="alert"></p>
<button class="${kind}">${button}</button>
</form>`;

/** Links and buttons below a form. */
export const others = (items: Markup[]): Markup => html`<div class="others">${items}</div>`;

/** A button that shows another view. */
export const toView = (name: View, text: string): Markup =>
  html`<button type="button" data-show="${name}">${text}</button>`;

interface Input {
  label: string;
  attributes: Markup;
  hint?: string;
  after?: Markup;
}

/** `id` joins the names of the form and the field: `sign-in-email`. */
function field(id: string, { label, attributes, hint, after }: Input): Markup {
  const described = hint === undefined ? `${id}-wrong` : `${id}-hint ${id}-wrong`;
  return html`
<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" aria-describedby="${described}" ${attributes}>
${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}<p class="wrong" id="${id}-wrong"></p>
${after ?? ''}</div>`;
}

export const emailField = (form: string, { fields }: Words): Markup =>
  field(`${form}-email`, {
    label: fields.email,
    attributes: html`name="email" type="email" autocomplete="username" required`,
  });

export const nameField = (form: string, { fields, hints }: Words): Markup =>
  field(`${form}-name`, {
    label: fields.name,
    attributes: html`name="name" autocomplete="name" maxlength="100"`,
    hint: hints.name,
  });

interface PasswordInput {
  label?: string;
  /** The person chooses a new password here. */
  isNew?: boolean;
}

/** A password field with a button that shows the typed text. */
export function passwordField(
  form: string,
  { fields, hints, script }: Words,
  { label = fields.password, isNew = false }: PasswordInput = {},
): Markup {
  const id = `${form}-password`;
  return field(id, {
    label,
    attributes: html`name="password" type="password" autocomplete="${isNew ? 'new-password' : 'current-password'}" maxlength="${MAX_PASSWORD_LENGTH}" required`,
    ...(isNew && { hint: hints.newPassword.replace('#', String(MIN_PASSWORD_LENGTH)) }),
    after: html`<button type="button" class="reveal" data-reveal="${id}">${script.showPassword}</button>`,
  });
}

export const codeField = (form: string, { fields }: Words): Markup =>
  field(`${form}-code`, {
    label: fields.code,
    attributes: html`name="code" class="code" inputmode="numeric" autocomplete="one-time-code" required`,
  });

export const backupCodeField = (form: string, { fields, hints }: Words): Markup =>
  field(`${form}-code`, {
    label: fields.backupCode,
    attributes: html`name="code" class="code" autocomplete="off" autocapitalize="off" spellcheck="false" required`,
    hint: hints.backupCode,
  });
