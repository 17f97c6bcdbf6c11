import { DEADLINES_MS } from '../../lib/db.ts';
import { connectSql } from '../../lib/http/connect-stores.ts';
import { healthEntrypoint } from '../../lib/http/health.ts';
import { createAnalyticsApp } from './app.ts';
import { Env } from './env.ts';
import { createMailFiguresApp } from './mail-figures-app.ts';
import { createSharePagesApp } from './share-pages-app.ts';

const app = createAnalyticsApp();

export const Health = healthEntrypoint(Env, (env) => connectSql(env, DEADLINES_MS.management));

/** Says what stands around a share's page to `dashboard`, which alone has a binding to it. */
export const SharePages = { fetch: createSharePagesApp().fetch };

/** Reads the figures of a report by mail for `messages`, which alone has a binding to it. */
export const MailFigures = { fetch: createMailFiguresApp().fetch };

export default { fetch: app.fetch };
