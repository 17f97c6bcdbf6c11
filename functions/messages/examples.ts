import { type Examples, NOBODYS, type RouteExample, SAMPLE } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';

const forged: RouteExample = {
  summary: 'A link that the service didn’t make',
  status: 404,
  params: { channelId: NOBODYS, proof: 'A'.repeat(43) },
};

const of = (proof: string): Record<string, string> => ({ channelId: SAMPLE.mailChannelId, proof });
const confirm = of(SAMPLE.confirmProof);
const unsubscribe = of(SAMPLE.unsubscribeProof);
const ofReport = { ...of(SAMPLE.reportProof), reportId: SAMPLE.mailReportId };

const forgedReport: RouteExample = {
  ...forged,
  params: { channelId: NOBODYS, reportId: NOBODYS, proof: 'A'.repeat(43) },
};

export const examples: Examples<typeof routes> = {
  listWebhookEvents: [{ summary: 'All events', status: 200 }],
  getConfirmPage: [{ summary: 'The link of a mail', status: 200, params: confirm }, forged],
  confirmChannel: [{ summary: 'The link of a mail', status: 200, params: confirm }, forged],
  getUnsubscribePage: [{ summary: 'The link of a mail', status: 200, params: unsubscribe }, forged],
  unsubscribe: [
    { summary: 'The link of a mail', status: 200, params: unsubscribe },
    { summary: 'The link of another use', status: 404, params: confirm },
    forged,
  ],
  getUnsubscribeReportPage: [{ summary: 'The link of a mail', status: 200, params: ofReport }, forgedReport],
  unsubscribeReport: [{ summary: 'The link of a mail', status: 200, params: ofReport }, forgedReport],
};
