import * as v from 'valibot';
import { createAnnotation, listAnnotations } from '../../../lib/annotations/annotations.ts';
import { CreateAnnotation } from '../../../lib/annotations/schemas.ts';
import { check } from '../../../lib/http/issues.ts';
import { changing } from '../control-tool.ts';

/** A retry finds its note and adds no second one. */
export const annotate = changing({
  name: 'annotate',
  title: 'Annotate a day',
  description: 'Adds a note to a day of a website, as `release 2.1`: charts show it to all.',
  of: 'site',
  isAdditive: true,
  action: 'annotation.create',
  entries: { date: v.pipe(v.string(), v.maxLength(10)), text: v.pipe(v.string(), v.maxLength(1000)) },
  plan: async (ctx, site, { date, text }) => {
    const asked = check(CreateAnnotation, { siteId: site.id, date, text });
    const range = { from: asked.date, to: asked.date };
    const notes = await listAnnotations(ctx, { siteId: site.id, range });
    const same = notes.find((note) => note.text === asked.text) ?? null;
    return {
      before: same,
      after: same ?? { date: asked.date, text: asked.text },
      apply: same === null ? () => createAnnotation(ctx, asked) : null,
    };
  },
});
