/** What the service writes into the account pages for their script. */
import type { Language } from '../../lib/languages.ts';
import type { ScriptWords } from './page-words.ts';

export type PageName = 'sign-in' | 'confirm-email' | 'reset-password' | 'join';

/** JSON in the page, for the script. */
export interface PageData {
  page: PageName;
  language: Language;
  hasSession: boolean;
  /** Where the reader was on the way to; absent: nowhere. */
  to?: string;
  /** Where others go after signing in. */
  home: string;
  /** The pattern of the secret after the `#` in a link to the page. */
  secret: string;
  /** The page's own address. */
  address: string;
  words: ScriptWords;
}
