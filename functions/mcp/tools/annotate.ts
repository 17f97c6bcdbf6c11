import * as v from 'valibot';
import { createAnnotation, listAnnotations } from '../../../lib/annotations/annotations.ts';
import { CreateAnnotation } from '../../../lib/annotations/schemas.ts';
import { dateIn } from '../../../lib/dates.ts';
import { check } from '../../../lib/http/issues.ts';
import { calendarDates } from '../../../lib/visits/calendar-periods.ts';
import { changing } from '../control-tool.ts';

const FUTURE = 'This day lies in the future: charts show the note from then on.';

/** A retry finds its note and adds no second one. */
export const annotate = changing({
  name: 'annotate',
  title: 'Annotate a day',
  description: 'Notes something on a day of a website; charts show it.',
  of: 'site',
  isAdditive: true,
  action: 'annotation.create',
  entries: { date: v.pipe(v.string(), v.maxLength(10)), text: v.pipe(v.string(), v.maxLength(1000)) },
  plan: async (ctx, site, { date, text }) => {
    const isNamed = date === 'today' || date === 'yesterday';
    const day = isNamed ? calendarDates(date, ctx.now(), site.timezone).from : date;
    const asked = check(CreateAnnotation, { siteId: site.id, date: day, text });
    const range = { from: asked.date, to: asked.date };
    const notes = await listAnnotations(ctx, { siteId: site.id, range });
    const same = notes.find((note) => note.text === asked.text) ?? null;
    return {
      before: same,
      after: same ?? { date: asked.date, text: asked.text },
      notes: [asked.date > dateIn(ctx.now(), site.timezone) && FUTURE],
      apply: same === null ? () => createAnnotation(ctx, asked) : null,
    };
  },
});
