import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import {
  ChangeMember,
  CreatedInvitation,
  Invitation,
  InviteMember,
  Member,
  OneInvitation,
  OneMember,
  OneProject,
  Orphan,
} from '../../lib/projects/schemas.ts';

const shared = { tag: 'Members', auth: 'session', limit: null } as const;
const path = '/api/v1/projects/:projectId';

/** A project's members, and the invitations that make them. */
export const memberRoutes = {
  listMembers: {
    ...shared,
    method: 'GET',
    path: `${path}/members`,
    input: OneProject,
    summary: 'A project’s members, oldest first',
    responses: { 200: { description: 'The members.', schema: v.object({ data: v.array(Member) }) } },
    errors: ['NOT_FOUND'],
  },
  listOrphans: {
    ...shared,
    method: 'GET',
    path: `${path}/orphans`,
    input: OneProject,
    summary: 'What people who left made, and what still works, oldest first',
    description:
      'Shares that have not ended and ingest keys that are not revoked, whose makers are no members. At most 200: the next ones ' +
      'follow when these are revoked. What was made before 0.3.0 has no maker and is not listed.',
    responses: {
      200: { description: 'The shares and ingest keys.', schema: v.object({ data: v.array(Orphan) }) },
    },
    errors: ['NOT_FOUND'],
  },
  inviteMember: {
    ...shared,
    audit: 'member.invite',
    method: 'POST',
    path: `${path}/members`,
    summary: 'Invite a person with a link',
    description:
      'A signed-in person who opens the link joins the project. The link works once, within 7 days. Only owners invite ' +
      'owners. A project has at most 100 open invitations.',
    input: InviteMember,
    responses: { 201: { description: 'The invitation.', schema: v.object({ data: CreatedInvitation }) } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  changeMember: {
    ...shared,
    audit: 'member.change',
    method: 'PATCH',
    path: `${path}/members/:userId`,
    summary: 'Change a member’s role',
    description: 'Only owners may appoint or demote owners. A project always has an owner.',
    input: ChangeMember,
    responses: { 204: { description: 'The role is changed.' } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  removeMember: {
    ...shared,
    audit: 'member.remove',
    method: 'DELETE',
    path: `${path}/members/:userId`,
    input: OneMember,
    summary: 'Remove a member from a project, or leave it',
    description: 'Every member may leave, except the last owner.',
    responses: { 204: { description: 'Removed.' } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  listInvitations: {
    ...shared,
    method: 'GET',
    path: `${path}/invitations`,
    input: OneProject,
    summary: 'A project’s open invitations, oldest first',
    description: 'A link is shown only once, when it is created.',
    responses: {
      200: { description: 'The invitations.', schema: v.object({ data: v.array(Invitation) }) },
    },
    errors: ['NOT_FOUND'],
  },
  revokeInvitation: {
    ...shared,
    audit: 'member.uninvite',
    method: 'DELETE',
    path: `${path}/invitations/:invitationId`,
    input: OneInvitation,
    summary: 'Revoke an invitation',
    responses: { 204: { description: 'The link no longer works.' } },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Contracts;

export const memberComponents = { Member, Invitation, CreatedInvitation, Orphan };
