import type { Context } from 'hono';
import { notFound } from '../../lib/errors.ts';
import { addRoutes } from '../../lib/http/add-routes.ts';
import { createApp } from '../../lib/http/app.ts';
import { everybody } from '../../lib/http/doors.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { pagePolicy } from '../../lib/http/page-policy.ts';
import { idFrom } from '../../lib/id-from.ts';
import { followLink, type MailedLink, readLink } from '../../lib/messages/answer-links.ts';
import type { LinkUse } from '../../lib/messages/webhook-secrets.ts';
import { routes } from './contract.ts';
import { Env } from './env.ts';
import { linkPage, STYLE } from './link-page.ts';
import { type Bindings, createResources, type Resources } from './resources.ts';
import { webhookEvents } from './webhook-events.ts';

type Request = Context<{ Variables: { resources: Resources } }>;

/** The events of webhooks, and the pages behind links in mails. */
export function createMessagesApp({ log = logToConsole }: { log?: Log } = {}) {
  const app = createApp({
    name: 'messages',
    env: Env,
    log,
    resources: (env, bindings: Bindings) => createResources(env, bindings),
  });
  addRoutes(app, routes, everybody, {
    listWebhookEvents: async () => ({ data: webhookEvents() }),
    getConfirmPage: (_, __, c) => answerLink(c as Request, 'confirm', readLink),
    confirmChannel: (_, __, c) => answerLink(c as Request, 'confirm', followLink),
    getUnsubscribePage: (_, __, c) => answerLink(c as Request, 'unsubscribe', readLink),
    getUnsubscribeReportPage: (_, __, c) => answerLink(c as Request, 'unsubscribe-report', readLink),
    unsubscribeReport: (_, __, c) => answerLink(c as Request, 'unsubscribe-report', followLink),
    unsubscribe: (_, __, c) => answerLink(c as Request, 'unsubscribe', followLink),
  });
  return app;
}

async function answerLink(c: Request, use: LinkUse, answer: typeof readLink): Promise<Response> {
  const { projectName, language, isDone } = await answer(c.var.resources.sender, linkOf(c, use));
  c.header('Content-Language', language);
  c.header('Content-Security-Policy', await pagePolicy(STYLE, [], "'self'"));
  c.header('Cache-Control', 'no-store');
  c.header('Referrer-Policy', 'no-referrer');
  return c.html(linkPage({ use, language, projectName, isDone }));
}

function linkOf(c: Request, use: LinkUse): MailedLink {
  const channelId = idFrom(c.req.param('channelId'));
  const reportId = idFrom(c.req.param('reportId'));
  if (channelId === undefined) throw notFound('link');
  return { use, channelId, reportId, proof: c.req.param('proof') ?? '' };
}
