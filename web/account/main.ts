/** The script of `/sign-in`, `/reset-password`, `/join` and `/security`. `build.ts` makes `account-pages.js` of it. */
import { startForms } from './forms.ts';
import { joinPage } from './join-page.ts';
import { data, keepFragment } from './page.ts';
import { resetPage } from './reset-page.ts';
import { securityPage } from './security-page.ts';
import { signInPage } from './sign-in-page.ts';

startForms();
keepFragment();
// Another link of the same page, opened in the same tab, is no new page for the browser.
addEventListener('hashchange', () => location.reload());
await { 'sign-in': signInPage, 'reset-password': resetPage, join: joinPage, security: securityPage }[
  data.page
]();
