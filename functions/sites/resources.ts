import type { ServerEventsContext } from '../../lib/collection/take-server-events.ts';
import type { MemberActor } from '../../lib/context.ts';
import { countQuestion } from '../../lib/http/channel-questions.ts';
import { createDelivery, type DeliveryBindings } from '../../lib/http/deliver.ts';
import type { Passed } from '../../lib/http/doors.ts';
import { memberDoor } from '../../lib/http/known-doors.ts';
import type { Log } from '../../lib/http/log.ts';
import { createMemberApi } from '../../lib/http/member-api.ts';
import type { MailReportContext } from '../../lib/messages/mail-reports.ts';
import { createPolicyCopies } from '../../lib/privacy/policy-copies.ts';
import { createShareSecrets } from '../../lib/shares/secret.ts';
import type { ShareContext } from '../../lib/shares/shares.ts';
import type { PolicyContext } from '../../lib/sites/site.ts';
import type { Env } from './env.ts';

export type Resources = ReturnType<typeof createResources>;

/** Makes the function's resources, once per isolate. */
export function createResources(env: Env, bindings: DeliveryBindings, log: Log) {
  const api = createMemberApi(env);
  return {
    ...api,
    log,
    copies: createPolicyCopies(api.redis),
    shareSecrets: createShareSecrets(env.SHARE_KEY),
    deliver: createDelivery(bindings, { name: 'sites', now: Date.now, log }),
  };
}

/** The verbs' context, from the request and the isolate. */
const contextOf = (
  c: Passed<Resources, MemberActor>,
): PolicyContext & ServerEventsContext & MailReportContext & ShareContext => {
  const { actor, call, resources } = c.var;
  const { sql, publicUrl, copies, deliver, questions, shareSecrets } = resources;
  const countReports = questions.ofPerson(c, actor.userId);
  return {
    ...call,
    actor,
    sql,
    publicUrl,
    copies,
    deliver,
    shareSecrets,
    now: Date.now,
    countReports,
    countQuestion: (mailbox) => countQuestion(resources, mailbox, actor.userId),
  };
};

export const members = memberDoor(contextOf);
