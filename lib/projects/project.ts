import type { AuthKeys } from '../accounts/auth/auth-keys.ts';
import type { AuditedContext } from '../audit.ts';
import type { ActorOf, SessionContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Language } from '../languages.ts';
import type { SendMail } from '../mail.ts';
import type { Project, Role } from './schemas.ts';

/** The context of verbs that change something in a project. */
export type ProjectContext = AuditedContext<ActorOf<'session'>>;

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

export interface ProjectRow {
  id: string;
  name: string;
  role: Role;
  created_at: Date;
}

export const toProject = ({ id, name, role, created_at }: ProjectRow): Project => ({
  id,
  name,
  role,
  createdAt: created_at.toISOString(),
});

const MAX_PROJECTS_A_PERSON = 100;

/** Part of other statements in the caller's turn: the condition that the caller may have one more project. */
export const hasRoomForProject = ({ sql, actor }: SessionContext) => sql`
  (select count(*) from project_members where user_id = ${actor.userId}::uuid) < ${MAX_PROJECTS_A_PERSON}`;

export const tooManyProjects = (): DomainError =>
  new DomainError('CONFLICT', `A person has at most ${MAX_PROJECTS_A_PERSON} projects. Leave one.`);
