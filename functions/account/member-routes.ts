import { NoQuery, readId, readJson, readQuery } from '../../lib/http/read.ts';
import { changeMember } from '../../lib/projects/change-member.ts';
import { inviteMember } from '../../lib/projects/invite-member.ts';
import { listInvitations } from '../../lib/projects/list-invitations.ts';
import { listMembers } from '../../lib/projects/list-members.ts';
import { removeMember } from '../../lib/projects/remove-member.ts';
import { revokeInvitation } from '../../lib/projects/revoke-invitation.ts';
import { MemberChange, NewInvitation } from '../../lib/projects/schemas.ts';
import type { AccountApp, Guards } from './guards.ts';
import { projectIdOf } from './project-routes.ts';
import { contextOf } from './resources.ts';

/** Members, and the invitations that make them. */
export function addMemberRoutes(app: AccountApp, { gate, limit }: Guards) {
  return app
    .get('/api/v1/projects/:projectId/members', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listMembers(contextOf(c), projectIdOf(c)) });
    })
    .post('/api/v1/projects/:projectId/members', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const projectId = projectIdOf(c);
      const made = await inviteMember(contextOf(c), projectId, await readJson(c, NewInvitation));
      return c.json({ data: made }, 201);
    })
    .patch('/api/v1/projects/:projectId/members/:userId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const [projectId, userId] = [projectIdOf(c), readId(c, 'userId', 'member')];
      await changeMember(contextOf(c), projectId, userId, await readJson(c, MemberChange));
      return c.body(null, 204);
    })
    .delete('/api/v1/projects/:projectId/members/:userId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await removeMember(contextOf(c), projectIdOf(c), readId(c, 'userId', 'member'));
      return c.body(null, 204);
    })
    .get('/api/v1/projects/:projectId/invitations', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listInvitations(contextOf(c), projectIdOf(c)) });
    })
    .delete('/api/v1/projects/:projectId/invitations/:invitationId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await revokeInvitation(contextOf(c), projectIdOf(c), readId(c, 'invitationId', 'invitation'));
      return c.body(null, 204);
    });
}
