import type { AuditedContext } from '../audit.ts';
import type { ActorOf } from '../context.ts';
import type { Language } from '../languages.ts';
import type { SendMail } from '../mail.ts';
import type { Project, Role } from './schemas.ts';

/** The context of verbs that change something in a project. */
export type ProjectContext = AuditedContext<ActorOf<'session'>>;

export interface AccountContext extends ProjectContext {
  /** The address that browsers use, without a final slash. */
  publicUrl: string;
  sendMail: SendMail;
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
