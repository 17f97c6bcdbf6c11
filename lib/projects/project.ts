import type { SessionContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Role } from '../roles.ts';
import type { Project } from './schemas.ts';

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
