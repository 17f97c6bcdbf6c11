import type { ProjectContext } from '../audit.ts';
import type { Language } from '../languages.ts';
import type { SendMail } from '../mail.ts';
import type { AuthKeys } from './auth/auth-keys.ts';

/** The context of verbs on a person's account, and of those that send mails in a person's name. */
export interface AccountContext extends ProjectContext {
  /** The address that browsers use, without a final slash. */
  publicUrl: string;
  /** Sign links that confirm an address. */
  authKeys: AuthKeys;
  /** Sends an invitation within its limits. Throws `RATE_LIMITED`, `UNAVAILABLE`, and `FORBIDDEN` if the service sends no mail. */
  sendInvitation: SendMail;
  /** Sends a link that confirms the caller's address, likewise. */
  sendConfirmation: SendMail;
  /** The caller's language, used for mails that the caller sends. */
  language: Language;
}
