import * as v from 'valibot';
import { LANGUAGES } from '../../lib/content/catalogue.ts';
import { cursorOf, limitOf } from '../../lib/http/paging.ts';

export const AuditQuery = v.strictObject({ limit: limitOf(50), cursor: cursorOf(60) });

/** The pages'. */
export const PageQuery = v.strictObject({
  lang: v.optional(v.pipe(v.picklist(LANGUAGES), v.description('Language of the page.'))),
});
