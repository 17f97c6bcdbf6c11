import { type Examples, SAMPLE } from '../../lib/http/examples.ts';
import type { invitationRoutes } from './invitation-contract.ts';

export const invitationExamples: Examples<typeof invitationRoutes> = {
  previewInvitation: [
    {
      summary: 'An open invitation',
      status: 200,
      body: { secret: SAMPLE.invitationSecret },
      response: { data: { projectName: 'Theirs', role: 'viewer', expiresAt: '2026-11-28T09:00:00.000Z' } },
    },
    {
      summary: 'One that is used or over',
      status: 404,
      body: { secret: 'Aa3Vw8QyN1tRb6LxUo4HsDfJc7MgPa2EiXe9Bq5KvYI' },
    },
    { summary: 'No secret', status: 400, body: { secret: 'short' } },
  ],
};
