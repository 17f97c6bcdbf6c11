import { createAnnotation } from '../../lib/annotations/create-annotation.ts';
import { deleteAnnotation } from '../../lib/annotations/delete-annotation.ts';
import { listAnnotations } from '../../lib/annotations/list-annotations.ts';
import { NewAnnotation } from '../../lib/annotations/schemas.ts';
import { NoQuery, readId, readJson, readQuery, siteIdOf } from '../../lib/http/read.ts';
import type { AnalyticsApp, Guards } from './guards.ts';
import { AnnotationsQuery, rangeOf } from './query.ts';
import { contextOf } from './resources.ts';

/** What members note of days (docs/reports.md#goals-funnels-and-annotations). */
export function addAnnotationRoutes(app: AnalyticsApp, { gate, limit }: Guards) {
  return app
    .get('/api/v1/sites/:siteId/analytics/annotations', gate, limit, async (c) => {
      const range = rangeOf(readQuery(c, AnnotationsQuery));
      return c.json({ data: await listAnnotations(contextOf(c), siteIdOf(c), range) });
    })
    .post('/api/v1/sites/:siteId/analytics/annotations', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json(
        { data: await createAnnotation(contextOf(c), siteIdOf(c), await readJson(c, NewAnnotation)) },
        201,
      );
    })
    .delete('/api/v1/sites/:siteId/analytics/annotations/:annotationId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await deleteAnnotation(contextOf(c), siteIdOf(c), readId(c, 'annotationId', 'annotation'));
      return c.body(null, 204);
    });
}
