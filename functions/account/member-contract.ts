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
  inviteMember: {
    ...shared,
    audit: 'member.invite',
    method: 'POST',
    path: `${path}/members`,
    summary: 'Invite somebody by a link',
    description:
      'Whoever opens it, signed in, joins the project: once, within 7 days. Only owners invite owners. A project has at most ' +
      '100 open invitations.',
    input: InviteMember,
    responses: { 201: { description: 'The invitation.', schema: v.object({ data: CreatedInvitation }) } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  changeMember: {
    ...shared,
    audit: 'member.change',
    method: 'PATCH',
    path: `${path}/members/:userId`,
    summary: 'Give a member another role',
    description: 'Only owners make and unmake owners. A project has an owner always.',
    input: ChangeMember,
    responses: { 204: { description: 'The role is the new one.' } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  removeMember: {
    ...shared,
    audit: 'member.remove',
    method: 'DELETE',
    path: `${path}/members/:userId`,
    input: OneMember,
    summary: 'Take a member out of a project, or leave it',
    description: 'Anybody may leave but the last owner.',
    responses: { 204: { description: 'No member any more.' } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  listInvitations: {
    ...shared,
    method: 'GET',
    path: `${path}/invitations`,
    input: OneProject,
    summary: 'A project’s open invitations, oldest first',
    description: 'Their links are shown only when they are made.',
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
    summary: 'Take an invitation back',
    responses: { 204: { description: 'Its link opens nothing any more.' } },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Contracts;

export const memberComponents = { Member, Invitation, CreatedInvitation };
