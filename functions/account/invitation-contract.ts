import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import { InvitationPreview, PreviewInvitation } from '../../lib/projects/schemas.ts';
import { SIGN_IN } from './limits.ts';

/** Invitations, for whoever holds their links. */
export const invitationRoutes = {
  previewInvitation: {
    tag: 'Account',
    method: 'POST',
    path: '/api/v1/account/invitations/preview',
    auth: 'public',
    summary: 'See what an invitation is to, before accepting it',
    description:
      'For whoever holds the link, signed in or not. It uses nothing up. An invitation that was used, taken back or is over answers ' +
      'like one that never was.',
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
