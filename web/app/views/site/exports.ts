import { queryOf } from '../../api/operation.ts';
import type { Asked, SiteQuery } from '../../state/site-query.ts';

export const FORMATS = ['csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** A report as a file. `more` has the parameters that not all reports take. */
/** Parameters that not all reports have. */
export interface Exported {
  compare?: string | undefined;
  search?: string;
  sort?: string;
  goal?: string | undefined;
  interval?: SiteQuery['interval'];
  by?: string;
  minVisits?: number;
}

export function exportHref(
  report: string,
  format: Format,
  { siteId, ...asked }: Asked,
  more: Exported = {},
): string {
  const named = report.startsWith('utm_') ? { report: 'utm', by: report.slice('utm_'.length) } : { report };
  return `/api/v1/sites/${siteId}/analytics/export${queryOf({ ...named, format, ...asked, ...more })}`;
}
