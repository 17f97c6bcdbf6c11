import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { QualitySort } from '../../../lib/analytics/reading/report-inputs.ts';
import type { Vital } from '../../../lib/visits/vital-bounds.ts';
import type { Asked, Metric } from '../state/site-query.ts';
import { type Answer, type Common, inBatches } from './batches.ts';
import { operation } from './operation.ts';
import type { Funnel, FunnelReport, ListMeta, ReachMeta } from './operations.generated.ts';
import {
  getFunnelReport,
  getReports,
  getSharedFunnelReport,
  getSharedReport,
  getSharedReports,
  listFunnels,
} from './operations.generated.ts';

type Row = Record<string, unknown>;
/** By what vitals are sorted. */
export type VitalsSort = 'measured' | Vital;
/** By what a list is sorted. */
export type Sort = Metric | 'conversions';

export interface Part {
  limit?: number;
  cursor?: string;
  compare?: string;
  search?: string;
  sort?: Sort | VitalsSort | QualitySort;
  goal?: string;
  /** Of vitals and of how good visits are. */
  by?: string;
  minMeasured?: number;
  minVisits?: number;
  /** The first and last page of journeys. */
  start?: string;
  end?: string;
}

/** Parameters that not all reports have. */
export interface OwnFields {
  interval?: string;
  compare?: string | undefined;
  by?: string | undefined;
  /** The goal whose conversions rows have. */
  goal?: string | undefined;
}
type More = OwnFields & { limit?: number; sort?: Sort };

/** Reads a site's reports: as a member, or as whoever has the link of a share. */
export interface Reader {
  /** Tells the answers of several readers apart. */
  key: string;
  /** The reports that are shown. Undefined: all. */
  shows?: readonly string[];
  /** A report. Those asked for at the same moment go with one request. */
  report<Data>(name: string, asked: Asked, more?: More): Promise<Answer<Data>>;
  /** A part of a list, beyond its beginning, or of a report that is asked for alone. */
  page<Item = Row>(
    report: string,
    asked: Asked,
    part: Part,
    signal?: AbortSignal,
  ): Promise<Answer<Item[], ListMeta>>;
  funnels(signal: AbortSignal): Promise<{ data: Funnel[] }>;
  funnel(id: string, asked: Asked, signal: AbortSignal): Promise<Answer<FunnelReport, ReachMeta>>;
}

const named = (name: string, limit?: number, sort?: Sort): string =>
  [name, limit, sort].filter((part) => part !== undefined).join(':');

/** The route of a list, which a batch asks for by one name. */
function routeOf(report: string): { report: string; by?: string } {
  return report.startsWith('utm_') ? { report: 'utm', by: report.slice('utm_'.length) } : { report };
}

/** Lists have the same parameters and the same answer. */
const getList = operation('GET', '/api/v1/sites/{siteId}/analytics/{report}');

/** With a session's cookie. */
export function memberReader(siteId: string): Reader {
  const ask = inBatches((common) => getReports({ siteId, ...common } as never) as never);
  return {
    key: siteId,
    report: (name, { siteId: _, ...asked }, { limit, sort, ...own } = {}) =>
      ask(named(name, limit, sort), asked, own as Common) as never,
    page: (report, asked, part, signal) =>
      getList({ ...routeOf(report), ...asked, ...part } as never, signal) as never,
    funnels: (signal) => listFunnels({ siteId }, signal),
    funnel: (funnelId, asked, signal) => getFunnelReport({ ...asked, funnelId }, signal) as never,
  };
}

/** By a share's link. `token` opens one with a password. */
export function shareReader(secret: string, shows: readonly string[], token?: string): Reader {
  const ask = inBatches(
    (common) => getSharedReports({ secret, ...common } as never, undefined, token) as never,
  );
  return {
    key: secret,
    shows,
    report: (name, { siteId: _, ...asked }, { limit, sort, ...own } = {}) =>
      ask(named(name, limit, sort), asked, own as Common) as never,
    page: (report, { siteId: _, ...asked }, part, signal) =>
      getSharedReport({ secret, ...routeOf(report), ...asked, ...part } as never, signal, token) as never,
    funnels: (signal) => getSharedReport({ secret, report: 'funnels' }, signal, token) as never,
    funnel: (funnelId, { siteId: _, ...asked }, signal) =>
      getSharedFunnelReport({ secret, funnelId, ...asked } as never, signal, token) as never,
  };
}

const ReaderContext = createContext<Reader | undefined>(undefined);
export const ReaderProvider = ReaderContext.Provider;

/** Whoever reads the reports of this page. */
export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (reader === undefined) throw new Error('There is no reader of reports around this.');
  return reader;
}

/** Whether a share keeps the answer back, because it is about too few. Its data is null then. */
export const isWithheld = (meta: object): boolean => 'suppressed' in meta && meta.suppressed === true;
