/** The script of `/sign-in`, `/confirm-email`, `/reset-password` and `/join`. `build-pages.ts` bundles it to `account-pages.js`. */
import { confirmPage } from './confirm-page.ts';
import { startForms } from './forms.ts';
import { joinPage } from './join-page.ts';
import { data, keepFragment } from './page.ts';
import { resetPage } from './reset-page.ts';
import { signInPage } from './sign-in-page.ts';

startForms();
keepFragment();
// The browser doesn't load a page again when a link with another fragment opens in the same tab.
addEventListener('hashchange', () => location.reload());
const pages = {
  'sign-in': signInPage,
  'confirm-email': confirmPage,
  'reset-password': resetPage,
  join: joinPage,
};
await pages[data.page]();
