import * as v from 'valibot';
import { NOBODYS, type RouteContract, SAMPLE } from '../../lib/http/contract.ts';
import {
  CreatedInvitation,
  Invitation,
  Member,
  MemberChange,
  NewInvitation,
} from '../../lib/projects/schemas.ts';
import { unknownProject } from './project-contract.ts';

const shared = { tag: 'Members', auth: 'session', limited: true } as const;
const path = '/api/v1/projects/:projectId';

const createdAt = '2026-11-21T09:00:00.000Z';
const member = { userId: SAMPLE.userId, email: 'ben@example.pt', name: 'Ben', role: 'viewer', createdAt };
const invitation = {
  id: SAMPLE.invitationId,
  role: 'viewer',
  createdAt,
  expiresAt: '2026-11-28T09:00:00.000Z',
};

/** What the OpenAPI document says of a project's members. */
export const memberRoutes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path: `${path}/members`,
    operationId: 'listMembers',
    summary: 'A project’s members, oldest first',
    responses: { 200: { description: 'The members.', schema: v.object({ data: v.array(Member) }) } },
    errors: ['NOT_FOUND'],
    examples: [{ summary: 'All members', status: 200, response: { data: [member] } }, unknownProject],
  },
  {
    ...shared,
    method: 'POST',
    path: `${path}/members`,
    operationId: 'inviteMember',
    summary: 'Invite somebody by a link',
    description:
      'Whoever opens it, signed in, joins the project: once, within 7 days. Only owners invite owners. A project has at most ' +
      '100 open invitations.',
    body: { schema: NewInvitation },
    responses: { 201: { description: 'The invitation.', schema: v.object({ data: CreatedInvitation }) } },
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: [
      {
        summary: 'A link to hand on',
        status: 201,
        body: { role: 'viewer' },
        response: {
          data: { ...invitation, url: `https://vendor.example/join#${SAMPLE.invitationSecret}` },
        },
      },
      { summary: 'By mail', status: 201, body: { role: 'admin', email: 'ben@example.pt' } },
      { summary: 'A role that does not exist', status: 400, body: { role: 'guest' } },
      { ...unknownProject, body: { role: 'viewer' } },
    ],
  },
  {
    ...shared,
    method: 'PATCH',
    path: `${path}/members/:userId`,
    operationId: 'changeMember',
    summary: 'Give a member another role',
    description: 'Only owners make and unmake owners. A project has an owner always.',
    body: { schema: MemberChange },
    responses: { 204: { description: 'The role is the new one.' } },
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: [
      { summary: 'A role', status: 204, body: { role: 'admin' } },
      { summary: 'Nobody', status: 404, params: { userId: NOBODYS }, body: { role: 'admin' } },
      { ...unknownProject, body: { role: 'admin' } },
    ],
  },
  {
    ...shared,
    method: 'DELETE',
    path: `${path}/members/:userId`,
    operationId: 'removeMember',
    summary: 'Take a member out of a project, or leave it',
    description: 'Anybody may leave but the last owner.',
    responses: { 204: { description: 'No member any more.' } },
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: [
      { summary: 'A member', status: 204 },
      { summary: 'Nobody', status: 404, params: { userId: NOBODYS } },
      unknownProject,
    ],
  },
  {
    ...shared,
    method: 'GET',
    path: `${path}/invitations`,
    operationId: 'listInvitations',
    summary: 'A project’s open invitations, oldest first',
    description: 'Their links are shown only when they are made.',
    responses: {
      200: { description: 'The invitations.', schema: v.object({ data: v.array(Invitation) }) },
    },
    errors: ['NOT_FOUND'],
    examples: [{ summary: 'All invitations', status: 200, response: { data: [invitation] } }, unknownProject],
  },
  {
    ...shared,
    method: 'DELETE',
    path: `${path}/invitations/:invitationId`,
    operationId: 'revokeInvitation',
    summary: 'Take an invitation back',
    responses: { 204: { description: 'Its link opens nothing any more.' } },
    errors: ['NOT_FOUND'],
    examples: [
      { summary: 'An invitation', status: 204 },
      { summary: 'Nobody’s invitation', status: 404, params: { invitationId: NOBODYS } },
      unknownProject,
    ],
  },
];

export const memberComponents = { Member, NewInvitation, Invitation, CreatedInvitation };
