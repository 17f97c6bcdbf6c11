/** The views of `/security`. */
import { html } from 'hono/html';
import {
  checkbox,
  codeField,
  form,
  type Markup,
  others,
  type PageContext,
  passwordField,
  toView,
  view,
} from './page-elements.ts';

/** Sessions, the password and the second factor, with forms to change them. */
export function securing(ctx: PageContext): Markup[] {
  const { words } = ctx;
  const { buttons, links, security } = words;
  const back = others([toView('security', links.back)]);
  return [
    view(ctx, 'security', overview(ctx)),
    view(ctx, 'change-password', [
      form(
        'change-password',
        [
          passwordField('change-password', words, { name: 'currentPassword' }),
          passwordField('change-password', words, { name: 'newPassword', isNew: true }),
          checkbox('change-password', 'revokeKeys', words.revokeKeys),
        ],
        buttons.setPassword,
      ),
      back,
    ]),
    view(ctx, 'set-up', [form('set-up', [passwordField('set-up', words)], buttons.continue), back]),
    view(ctx, 'turn-on', [
      html`
<p class="code" data-fill="secret"></p>
<p><a id="otpauth">${security.openApp}</a></p>
<h2>${security.backupCodes}</h2>
<p>${security.keepThem}</p>
<ul class="code" id="backup-codes"></ul>`,
      form('turn-on', [codeField('turn-on', words)], buttons.turnOn),
      back,
    ]),
    view(ctx, 'turn-off', [form('turn-off', [passwordField('turn-off', words)], buttons.turnOff), back]),
  ];
}

/** The script fills the list and shows the state of the second factor. */
const overview = ({ words: { buttons, links, security }, query }: PageContext): Markup[] => [
  html`
<h2>${security.sessions}</h2>
<ul id="sessions"></ul>
<template><li><span><b></b><br><span class="hint"></span></span> <button type="button">${security.end}</button></li></template>`,
  form('end-others', [], buttons.endOthers),
  html`
<h2>${security.password}</h2>
${toView('change-password', links.toChangePassword)}
<h2>${security.secondFactor}</h2>
<div data-factor="true"><p>${security.isOn}</p>${toView('turn-off', links.toTurnOff)}</div>
<div data-factor="false"><p>${security.isOff}</p>${toView('set-up', links.toSetUp)}</div>`,
  others([html`<a href="/sign-in${query}">${links.toAccount}</a>`]),
];
