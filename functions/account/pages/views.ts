/** The views of each page. */
import { html } from 'hono/html';
import {
  backupCodeField,
  codeField,
  emailField,
  form,
  type Markup,
  nameField,
  others,
  type PageContext,
  passwordField,
  toView,
  view,
} from './page-elements.ts';
import { securing } from './security-views.ts';

export type PageName = 'sign-in' | 'reset-password' | 'join' | 'security';

/** The views of each page. `isShown`: the first view is visible at once, without the script. */
export const viewsOf: Record<PageName, (ctx: PageContext, isShown: boolean) => Markup[]> = {
  'sign-in': (ctx, isShown) => [...signingIn(ctx, isShown), signedIn(ctx)],
  'reset-password': (ctx) => resetting(ctx),
  join: (ctx) => [...joining(ctx), ...signingIn(ctx, false), unread(ctx)],
  security: (ctx) => [...securing(ctx), ...signingIn(ctx, false), unread(ctx)],
};

/** Signing in and up, with the second factor and the mail for a forgotten password. */
function signingIn(ctx: PageContext, isShown: boolean): Markup[] {
  const { words } = ctx;
  const { buttons, links } = words;
  const invited = ctx.joining ? [html`<p class="lead">${words.invited}</p>`, invitation(ctx)] : [];
  return [
    view(
      ctx,
      'sign-in',
      [
        ...invited,
        form(
          'sign-in',
          [emailField('sign-in', words), passwordField('sign-in', words)],
          ctx.joining ? buttons.signInToJoin : buttons.signIn,
        ),
        others([toView('sign-up', links.toSignUp), toView('forgot', links.toForgot)]),
      ],
      isShown,
    ),
    view(ctx, 'sign-up', [
      ...(ctx.joining ? [invitation(ctx)] : []),
      form(
        'sign-up',
        [
          emailField('sign-up', words),
          passwordField('sign-up', words, { isNew: true }),
          nameField('sign-up', words),
        ],
        ctx.joining ? buttons.signUpToJoin : buttons.signUp,
      ),
      others([toView('sign-in', links.toSignIn)]),
    ]),
    view(ctx, 'code', [
      form('code', [codeField('code', words)], buttons.continue),
      others([toView('backup', links.toBackup), toView('sign-in', links.again)]),
    ]),
    view(ctx, 'backup', [
      form('backup', [backupCodeField('backup', words)], buttons.continue),
      others([toView('code', links.toCode), toView('sign-in', links.again)]),
    ]),
    view(ctx, 'forgot', [
      form('forgot', [emailField('forgot', words)], buttons.sendLink),
      others([toView('sign-in', links.toSignIn)]),
    ]),
    view(ctx, 'sent', [
      ...(ctx.joining ? [html`<p>${words.thenInvitation}</p>`] : []),
      others([toView('sign-in', links.toSignIn)]),
    ]),
  ];
}

const signedIn = (ctx: PageContext): Markup =>
  view(ctx, 'signed-in', [
    next(ctx),
    form('sign-out', [], ctx.words.links.signOut),
    others([html`<a href="/security${ctx.query}">${ctx.words.links.toSecurity}</a>`]),
  ]);

/** Links to what people can do without a dashboard. */
const next = ({ words: { next } }: PageContext): Markup => html`
<h2>${next.title}</h2>
<p>${next.noDashboard}</p>
<p>${next.keys} <a href="/api/openapi.json">${next.routes}</a>.</p>`;

function joining(ctx: PageContext): Markup[] {
  const { buttons, links } = ctx.words;
  return [
    view(ctx, 'no-secret', []),
    view(ctx, 'confirm', [
      invitation(ctx),
      form('join', [], buttons.join),
      others([html`<button type="button" id="other-account">${links.otherAccount}</button>`]),
    ]),
    view(ctx, 'joined', next(ctx)),
    view(ctx, 'refused', []),
  ];
}

const unread = (ctx: PageContext): Markup =>
  view(ctx, 'unread', form('again', [], ctx.words.buttons.tryAgain));

/** The details of an invitation. */
const invitation = ({ words: { invitation } }: PageContext): Markup => html`
<dl>
<dt>${invitation.project}</dt><dd><b data-fill="project"></b></dd>
<dt>${invitation.role}</dt><dd><b data-fill="role"></b>. <span data-fill="rights"></span></dd>
<dt>${invitation.ends}</dt><dd data-fill="ends"></dd>
</dl>`;

function resetting(ctx: PageContext): Markup[] {
  const { words, query } = ctx;
  const newLink = others([html`<a href="/sign-in${query}#forgot">${words.links.newLink}</a>`]);
  return [
    view(ctx, 'no-token', newLink),
    view(
      ctx,
      'reset',
      form(
        'reset',
        [passwordField('reset', words, { label: words.fields.newPassword, isNew: true })],
        words.buttons.setPassword,
      ),
    ),
    view(ctx, 'done', others([html`<a href="/sign-in${query}">${words.links.toSignIn}</a>`])),
    view(ctx, 'over', newLink),
  ];
}
