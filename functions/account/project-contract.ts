import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import {
  AuditEntry,
  CreateProject,
  JoinProject,
  ListAuditLog,
  OneProject,
  Project,
  RenameProject,
} from '../../lib/projects/schemas.ts';

const shared = { tag: 'Projects', auth: 'session', limit: null } as const;
const path = '/api/v1/projects/:projectId';

const ProjectAnswer = v.object({ data: Project });

/** Projects. */
export const projectRoutes = {
  listProjects: {
    ...shared,
    method: 'GET',
    path: '/api/v1/projects',
    summary: 'The projects that the person is a member of, oldest first',
    responses: { 200: { description: 'The projects.', schema: v.object({ data: v.array(Project) }) } },
  },
  createProject: {
    ...shared,
    audit: 'project.create',
    method: 'POST',
    path: '/api/v1/projects',
    summary: 'Create a project',
    description: 'The person becomes its owner. The project starts with the environment `production`.',
    input: CreateProject,
    responses: { 201: { description: 'The new project.', schema: ProjectAnswer } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  joinProject: {
    ...shared,
    audit: 'member.join',
    tag: 'Account',
    method: 'POST',
    path: '/api/v1/account/invitations',
    summary: 'Join a project with an invitation',
    description: '`secret` is the part of the link after the `#`. An invitation works once.',
    input: JoinProject,
    responses: { 201: { description: 'The project.', schema: ProjectAnswer } },
    errors: ['CONFLICT', 'NOT_FOUND'],
  },
  getProject: {
    ...shared,
    method: 'GET',
    path,
    input: OneProject,
    summary: 'One project',
    responses: { 200: { description: 'The project.', schema: ProjectAnswer } },
    errors: ['NOT_FOUND'],
  },
  renameProject: {
    ...shared,
    audit: 'project.rename',
    method: 'PATCH',
    path,
    summary: 'Rename a project',
    input: RenameProject,
    responses: { 200: { description: 'The changed project.', schema: ProjectAnswer } },
    errors: ['NOT_FOUND'],
  },
  deleteProject: {
    ...shared,
    audit: 'project.delete',
    method: 'DELETE',
    path,
    input: OneProject,
    summary: 'Delete a project with everything in it',
    description: 'Deletes its sites with their data, and its environments with their keys. Owners only.',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['NOT_FOUND'],
  },
  listAuditLog: {
    ...shared,
    method: 'GET',
    path: `${path}/audit-log`,
    summary: 'Who changed what in a project, newest first',
    description: 'Owners and admins only.',
    input: ListAuditLog,
    responses: {
      200: {
        description: 'The lines of the log.',
        schema: v.object({
          data: v.array(AuditEntry),
          meta: v.object({ nextCursor: v.nullable(v.string()) }),
        }),
      },
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
} as const satisfies Contracts;

export const projectComponents = { Project, AuditEntry };
