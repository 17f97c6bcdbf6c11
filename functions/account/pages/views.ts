/** The views of each page. */
import { html } from 'hono/html';
import type { PageName } from '../../../web/account/page-data.ts';
import type { Words } from '../../../web/account/page-words.ts';
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

/** The views of each page. `isShown`: the first view is visible at once, without the script. */
export const viewsOf: Record<PageName, (ctx: PageContext, isShown: boolean) => Markup[]> = {
  'sign-in': (ctx, isShown) => [
    ...signingIn(ctx, isShown),
    ...firstOwner(ctx),
    unconfirmed(ctx),
    signedIn(ctx),
  ],
  'confirm-email': (ctx) => [...confirming(ctx), ...signingIn(ctx, false), unread(ctx)],
  'reset-password': (ctx) => resetting(ctx),
  join: (ctx) => [...joining(ctx), ...signingIn(ctx, false), unconfirmed(ctx), unread(ctx)],
};

/** Signing in and up, with the second factor and the mail for a forgotten password. */
function signingIn(ctx: PageContext, isShown: boolean): Markup[] {
  const { words, page, mails, signUp } = ctx;
  const { buttons, links } = words;
  const isJoining = page === 'join';
  const leads: Partial<Record<PageName, Markup[]>> = {
    join: [html`<p class="lead">${words.invited}</p>`, invitation(ctx)],
    'confirm-email': [html`<p class="lead">${words.toConfirm}</p>`],
  };
  const ways = [
    ...(signUp ? [toView('sign-up', links.toSignUp)] : []),
    ...(mails ? [toView('forgot', links.toForgot)] : []),
  ];
  return [
    view(
      ctx,
      'sign-in',
      [
        ...(leads[page] ?? []),
        form(
          'sign-in',
          [emailField('sign-in', words), passwordField('sign-in', words)],
          isJoining ? buttons.signInToJoin : buttons.signIn,
        ),
        others(ways),
      ],
      isShown,
    ),
    ...(signUp
      ? [
          view(ctx, 'sign-up', [
            ...(isJoining ? [invitation(ctx)] : []),
            accountForm('sign-up', words, isJoining ? buttons.signUpToJoin : buttons.signUp),
            others([toView('sign-in', links.toSignIn)]),
          ]),
        ]
      : []),
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
      ...(isJoining ? [html`<p>${words.thenInvitation}</p>`] : []),
      others([toView('sign-in', links.toSignIn)]),
    ]),
  ];
}

const accountForm = (name: 'sign-up' | 'first-owner', words: Words, button: string): Markup =>
  form(
    name,
    [emailField(name, words), passwordField(name, words, { isNew: true }), nameField(name, words)],
    button,
  );

/** The account of whoever runs the service. */
const firstOwner = (ctx: PageContext): Markup[] => {
  const { buttons, links } = ctx.words;
  const toSignIn = others([toView('sign-in', links.toSignIn)]);
  return [
    view(ctx, 'first-owner', [accountForm('first-owner', ctx.words, buttons.signUp), toSignIn]),
    view(ctx, 'no-token', toSignIn),
  ];
};

/** Asks people to open the mailed link, and sends another one. */
const unconfirmed = (ctx: PageContext): Markup => {
  const { buttons, links } = ctx.words;
  return view(ctx, 'unconfirmed', [
    form('resend', [], buttons.sendAnother),
    others([
      html`<button type="button" data-reload>${links.opened}</button>`,
      ...(ctx.page === 'sign-in' ? [toView('signed-in', links.later)] : []),
    ]),
  ]);
};

const confirming = (ctx: PageContext): Markup[] => [
  view(ctx, 'no-token', others([html`<a href="/sign-in${ctx.query}">${ctx.words.links.toAccount}</a>`])),
  view(ctx, 'email-confirmed', next(ctx)),
  unconfirmed(ctx),
];

const signedIn = (ctx: PageContext): Markup =>
  view(ctx, 'signed-in', [
    next(ctx),
    form('sign-out', [], ctx.words.links.signOut, 'second'),
    others([html`<a href="/settings/account${ctx.query}">${ctx.words.links.toSecurity}</a>`]),
  ]);

const next = ({ words: { links }, to }: PageContext): Markup => html`
<p><a class="main" href="${to}">${links.toDashboard}</a></p>`;

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
