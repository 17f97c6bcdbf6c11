import { type Examples, NOBODYS, SAMPLE } from '../../lib/http/examples.ts';
import type { memberRoutes } from './member-contract.ts';
import { unknownProject } from './project-examples.ts';

const createdAt = '2026-11-21T09:00:00.000Z';
const member = { userId: SAMPLE.userId, email: 'ben@example.pt', name: 'Ben', role: 'viewer', createdAt };
const invitation = {
  id: SAMPLE.invitationId,
  role: 'viewer',
  createdAt,
  expiresAt: '2026-11-28T09:00:00.000Z',
};
const orphan = {
  ...{ kind: 'share', id: SAMPLE.shareId, name: 'For the board', createdAt },
  createdBy: { userId: SAMPLE.userId, name: 'Ben', isMember: false },
  ...{ siteId: SAMPLE.siteId, site: 'Guitars' },
};

export const memberExamples: Examples<typeof memberRoutes> = {
  listMembers: [{ summary: 'All members', status: 200, response: { data: [member] } }, unknownProject],
  listOrphans: [
    { summary: 'What a former member made', status: 200, response: { data: [orphan] } },
    unknownProject,
  ],
  inviteMember: [
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
  changeMember: [
    { summary: 'A role', status: 204, body: { role: 'admin' } },
    { summary: 'Nobody', status: 404, params: { userId: NOBODYS }, body: { role: 'admin' } },
    { ...unknownProject, body: { role: 'admin' } },
  ],
  removeMember: [
    { summary: 'A member', status: 204 },
    { summary: 'Nobody', status: 404, params: { userId: NOBODYS } },
    unknownProject,
  ],
  listInvitations: [
    { summary: 'All invitations', status: 200, response: { data: [invitation] } },
    unknownProject,
  ],
  revokeInvitation: [
    { summary: 'An invitation', status: 204 },
    { summary: 'Nobody’s invitation', status: 404, params: { invitationId: NOBODYS } },
    unknownProject,
  ],
};
