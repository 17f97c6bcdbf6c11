import type { AuditedContext } from '../audit.ts';
import type { ActorOf } from '../context.ts';
import type { Language } from '../languages.ts';
import type { SendMail } from '../mail.ts';
import type { Project, Role } from './schemas.ts';

/** Of verbs that change something of a project. */
export type ProjectContext = AuditedContext<ActorOf<'session'>>;

export interface AccountContext extends ProjectContext {
  /** Where browsers reach the service, without a final slash. */
  publicUrl: string;
  sendMail: SendMail;
  /** Of the caller, and so of what is mailed for them. */
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
