import { createApp } from '../../lib/http/app.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import type { SharePage } from '../../lib/shares/schemas.ts';
import { Env } from './env.ts';
import { createResources } from './resources.ts';
import { findShare, requireNotEnded } from './shared-report-routes.ts';

/** `GET /:secret`: the `SharePage` of a share, or 404. Only a binding reaches it; it hands on the address of whoever asks. */
export function createSharePagesApp({ log = logToConsole }: { log?: Log } = {}) {
  const app = createApp({ name: 'analytics', env: Env, log, resources: createResources });
  return app.get('/:secret', async (c) => {
    const share = await findShare(c as never);
    requireNotEnded(share);
    const { name, site, password, embedOrigins } = share;
    const page: SharePage = {
      title: password === null ? { name, site: site.name } : null,
      embedOrigins: [...embedOrigins],
    };
    return c.json(page);
  });
}
