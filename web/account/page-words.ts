/** The texts of the pages for signing in, confirming addresses, new passwords and joining, in each language. */
import type { Role } from '../../lib/roles.ts';

/** The texts of a view: a heading, and a sentence below. The script fills placeholders in braces: `{email}`. */
export interface ViewWords {
  title: string;
  lead: string;
}

export const VIEWS = [
  'sign-in',
  'sign-up',
  'first-owner',
  'code',
  'backup',
  'forgot',
  'sent',
  'signed-in',
  'unconfirmed',
  'email-confirmed',
  'confirm',
  'joined',
  'refused',
  'unread',
  'no-secret',
  'reset',
  'done',
  'over',
  'no-token',
] as const;
export type View = (typeof VIEWS)[number];

/** Texts that the script uses. They are part of the page. */
export interface ScriptWords {
  /** Translations of the service's sentences for people, by the English sentence. Other sentences are shown unchanged. */
  sentences: Record<string, string>;
  /** Translations of the rules that a field broke, by the English rule, with `#` for a number. */
  rules: Record<string, string>;
  /** No answer, or an answer that isn't from this service. */
  unreachable: string;
  /** `{when}` is `in 12 minutes`. */
  tooMany: string;
  /** The page was opened at an address that isn't the service's own; `{address}` is the service's. */
  elsewhere: string;
  roles: Record<Role, string>;
  /** What a role may do. */
  rights: Record<Role, string>;
  /** Another link was mailed. */
  mailed: string;
  /** The mailed link that confirms an address doesn't work any more. */
  linkOver: string;
  showPassword: string;
  hidePassword: string;
  busy: string;
}

export interface Words {
  languages: string;
  needsScript: string;
  views: Record<View, ViewWords>;
  fields: Record<'email' | 'password' | 'newPassword' | 'name' | 'code' | 'backupCode', string>;
  /** Hints below fields. `#` is the number in the rule. */
  hints: Record<'newPassword' | 'name' | 'backupCode', string>;
  buttons: Record<
    | 'signIn'
    | 'signInToJoin'
    | 'signUp'
    | 'signUpToJoin'
    | 'continue'
    | 'sendLink'
    | 'sendAnother'
    | 'setPassword'
    | 'join'
    | 'tryAgain',
    string
  >;
  links: Record<
    | 'toSignIn'
    | 'toSignUp'
    | 'toForgot'
    | 'toBackup'
    | 'toCode'
    | 'again'
    | 'signOut'
    | 'otherAccount'
    | 'newLink'
    | 'opened'
    | 'later'
    | 'toAccount'
    | 'toSecurity'
    | 'toDashboard',
    string
  >;
  /** Above the forms, for people who aren't signed in yet. */
  invited: string;
  toConfirm: string;
  /** Labels of an invitation's details. */
  invitation: Record<'project' | 'role' | 'ends', string>;
  /** After the mail for a new password, for people who came by an invitation. */
  thenInvitation: string;
  script: ScriptWords;
  /** Instead of those above, where the service keeps its mails instead of sending them. */
  kept: {
    views: Partial<Record<View, Partial<ViewWords>>>;
    buttons: Pick<Words['buttons'], 'sendLink' | 'sendAnother'>;
    script: Pick<ScriptWords, 'mailed'>;
  };
}
