/** Creates what a documented example needs, for one example. */
import type { Sql } from '../../lib/db.ts';
import { SAMPLE } from '../../lib/http/examples.ts';
import { sumErrors } from '../../lib/telemetry/errors/sum-errors.ts';
import { addAccount, addPassword } from './account-samples.ts';
import { addFunnel, addGoal } from './definitions.ts';
import { addMails } from './mail-samples.ts';
import { createTenant, createUnconfirmed } from './tenant.ts';
import { addAlert } from './test-alert.ts';
import { addImport } from './test-import.ts';
import { addShare } from './test-share.ts';
import { addTrace } from './trace.ts';

export interface Samples {
  /** An API token of the owner. */
  token: string;
  /** An ingest key of the environment that may send outcomes. */
  ingestKey: string;
  /** A query token of the owner with all scopes. */
  queryToken: string;
  /** The `Cookie` header of the owner's session. */
  cookie: string;
  /** The `Cookie` header of somebody whose address isn't confirmed. */
  unconfirmedCookie: string;
  /** The values that replace the documented ones. */
  values: Record<keyof typeof SAMPLE, string>;
}

export async function createSamples(sql: Sql): Promise<Samples> {
  const tenant = await createTenant(sql);
  const { siteId, projectId, token, cookie, email } = tenant;
  const [annotation] = await sql`
    insert into site_annotations (site_id, date, text) values (${siteId}, current_date, 'New prices') returning id`;
  const goalId = await addGoal(sql, siteId, { name: 'Signed up', event: 'signup' });
  await addGoal(sql, siteId, { name: 'Read the docs', page: '/docs/**' });
  const steps = [{ page: '/pricing' }, { event: 'signup' }];
  const funnelId = await addFunnel(sql, siteId, { name: 'From prices to an account', steps });
  await addFunnel(sql, siteId, { name: 'Reading', steps });
  const [segment] = await sql`
    insert into site_segments (site_id, name, filters) values (${siteId}, 'Iberia', '{"country": "PT|ES"}') returning id`;
  const importId = await addImport(sql, siteId);
  const [open, locked] = await Promise.all([addShare(sql, siteId), addShare(sql, siteId, { locked: true })]);
  const shares = { shareId: open.shareId, shareSecret: open.secret, lockedSecret: locked.secret };
  const own = {
    siteId,
    projectId,
    email,
    annotationId: annotation?.id,
    segmentId: segment?.id,
    importId,
    goalId,
    funnelId,
  };
  const mails = await addMails(sql, { projectId, siteId });
  const { ingestKey, queryToken, ...account } = await addAccount(sql, tenant);
  const alertId = await addAlert(sql, { projectId, siteId });
  const environmentAlertId = await addAlert(sql, { projectId, environmentId: account.environmentId });
  const { traceId } = SAMPLE;
  await addTrace(sql, account.environmentId, traceId);
  await sumErrors({ sql, now: Date.now });
  const unconfirmed = await createUnconfirmed(sql);
  await addPassword(sql, unconfirmed.userId);
  return {
    token,
    cookie,
    unconfirmedCookie: unconfirmed.cookie,
    ingestKey,
    queryToken,
    values: {
      ...{ ...own, ...shares, ...account, ...mails, alertId, environmentAlertId },
      ...{ traceId, errorId: SAMPLE.errorId },
    },
  };
}
