import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import { InvitationPreview, PreviewInvitation } from '../../lib/projects/schemas.ts';
import { SIGN_IN } from './limits.ts';

/** Invitations, for the holders of their links. */
export const invitationRoutes = {
  previewInvitation: {
    tag: 'Account',
    method: 'POST',
    path: '/api/v1/account/invitations/preview',
    auth: 'public',
    summary: 'Preview an invitation before accepting it',
    description:
      'For everybody with the link, signed in or not. Reading it doesn’t use the invitation up. Used, revoked and expired ' +
      'invitations get the same answer as unknown ones.',
    input: PreviewInvitation,
    limit: SIGN_IN,
    responses: {
      200: {
        description: 'The project, the role in it, and when the invitation ends.',
        schema: v.object({ data: InvitationPreview }),
      },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Contracts;

export const invitationComponents = { InvitationPreview };
