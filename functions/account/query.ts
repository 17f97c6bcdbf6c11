import * as v from 'valibot';
import { cursorOf, limitOf } from '../../lib/http/paging.ts';
import { Language } from '../../lib/languages.ts';

export const AuditQuery = v.strictObject({ limit: limitOf(50), cursor: cursorOf(60) });

/** The pages'. */
export const PageQuery = v.strictObject({
  lang: v.optional(v.pipe(Language, v.description('Language of the page.'))),
});
