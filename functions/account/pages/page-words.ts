/** What the pages of signing in, resetting a password, joining and security say, in each language. */
import type { Role } from '../../../lib/projects/schemas.ts';

/** What a view says: its heading, and a sentence below. In braces stands what the script fills in: `{email}`. */
export interface ViewWords {
  title: string;
  lead: string;
}

export const VIEWS = [
  'sign-in',
  'sign-up',
  'code',
  'backup',
  'forgot',
  'sent',
  'signed-in',
  'confirm',
  'joined',
  'refused',
  'unread',
  'no-secret',
  'reset',
  'done',
  'over',
  'no-token',
  'security',
  'change-password',
  'set-up',
  'turn-on',
  'turn-off',
] as const;
export type View = (typeof VIEWS)[number];

/** What the script says. It gets these with the page. */
export interface ScriptWords {
  /** The service's own sentences for people, by the English that it answers. Others are shown as they come. */
  sentences: Record<string, string>;
  /** The rules that a field broke, by the service's words, with `#` for a number. */
  rules: Record<string, string>;
  /** No answer, or none of the service's. */
  unreachable: string;
  /** `{when}` is `in 12 minutes`. */
  tooMany: string;
  /** The page was opened by another address than the service's own, `{address}`. */
  elsewhere: string;
  roles: Record<Role, string>;
  /** What a role may do. */
  rights: Record<Role, string>;
  /** Of a session: `{when}` is a date with its time. */
  since: string;
  thisBrowser: string;
  unknownBrowser: string;
  /** What was done on the page of security. */
  done: Record<'ended' | 'password' | 'turnedOn' | 'turnedOff', string>;
  showPassword: string;
  hidePassword: string;
  busy: string;
}

export interface Words {
  languages: string;
  needsScript: string;
  views: Record<View, ViewWords>;
  fields: Record<
    'email' | 'password' | 'currentPassword' | 'newPassword' | 'name' | 'code' | 'backupCode',
    string
  >;
  /** Below a field. `#` is the number of the rule. */
  hints: Record<'newPassword' | 'name' | 'backupCode', string>;
  buttons: Record<
    | 'signIn'
    | 'signInToJoin'
    | 'signUp'
    | 'signUpToJoin'
    | 'continue'
    | 'sendLink'
    | 'setPassword'
    | 'join'
    | 'tryAgain'
    | 'endOthers'
    | 'turnOn'
    | 'turnOff',
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
    | 'toAccount'
    | 'toSecurity'
    | 'toChangePassword'
    | 'toSetUp'
    | 'toTurnOff'
    | 'back',
    string
  >;
  /** Above the forms of who isn't signed in yet. */
  invited: string;
  /** What stands before each thing that an invitation says. */
  invitation: Record<'project' | 'role' | 'ends', string>;
  /** Of the mail of a new password, to who came by an invitation. */
  thenInvitation: string;
  security: Record<
    | 'sessions'
    | 'end'
    | 'password'
    | 'secondFactor'
    | 'isOn'
    | 'isOff'
    | 'openApp'
    | 'backupCodes'
    | 'keepThem',
    string
  >;
  next: { title: string; noDashboard: string; keys: string; routes: string };
  script: ScriptWords;
}
