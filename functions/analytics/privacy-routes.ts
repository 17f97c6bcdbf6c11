import { readQuery, siteIdOf } from '../../lib/http/read.ts';
import { reportPrivacy } from '../../lib/privacy-report/report-privacy.ts';
import type { AnalyticsApp, Guards } from './guards.ts';
import { PrivacyQuery } from './query.ts';
import { contextOf } from './resources.ts';

/** What a site collects, in words for its privacy notice. For members: it is a draft, and no report of visits. */
export function addPrivacyRoutes(app: AnalyticsApp, { gate, limit }: Guards) {
  return app.get('/api/v1/sites/:siteId/analytics/privacy-report', gate, limit, async (c) => {
    const { language } = readQuery(c, PrivacyQuery);
    return c.json({ data: await reportPrivacy(contextOf(c), siteIdOf(c), language) });
  });
}
