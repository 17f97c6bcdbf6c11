import { type Examples, NOBODYS, type RouteExample } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';

const forged: RouteExample = {
  summary: 'A link that the service didn’t make',
  status: 404,
  params: { channelId: NOBODYS, proof: 'A'.repeat(43) },
};

const forgedReport: RouteExample = {
  ...forged,
  params: { channelId: NOBODYS, reportId: NOBODYS, proof: 'A'.repeat(43) },
};

export const examples: Examples<typeof routes> = {
  listWebhookEvents: [{ summary: 'All events', status: 200 }],
  getConfirmPage: [forged],
  confirmChannel: [forged],
  getUnsubscribePage: [forged],
  unsubscribe: [forged],
  getUnsubscribeReportPage: [forgedReport],
  unsubscribeReport: [forgedReport],
};
