/** The state of an environment's views, which is the query of their addresses. Its names are those of the API. */
import { useMemo } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { queryOf } from '../api/operation.ts';

export const TELEMETRY_PERIODS = ['15m', '1h', '24h', '7d', '30d'] as const;
export type TelemetryPeriod = (typeof TELEMETRY_PERIODS)[number];
export const DEFAULT_TELEMETRY_PERIOD: TelemetryPeriod = '24h';

/** An environment, as the API names it. */
export interface EnvironmentIds {
  projectId: string;
  environmentId: string;
}

/** Parameters of the address by name. */
export type Fields = Readonly<Record<string, string>>;
export type Changes = Readonly<Record<string, string | undefined>>;

export interface TelemetryRange {
  period?: TelemetryPeriod;
  from?: string;
  to?: string;
}

const isAttribute = (name: string): boolean => /^(?:attr|resource)\../.test(name);

const pick = (fields: Fields, isWanted: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));

export function rangeOf({ period, from, to }: Fields): TelemetryRange {
  if (from !== undefined && to !== undefined) return { from, to };
  return { period: (period ?? DEFAULT_TELEMETRY_PERIOD) as TelemetryPeriod };
}

/** The filters by attributes: `attr.<key>` and `resource.<key>`. */
const HOUR_MS = 3_600_000;
const HOURS: Readonly<Record<TelemetryPeriod, number>> = {
  '15m': 0.25,
  '1h': 1,
  '24h': 24,
  '7d': 168,
  '30d': 720,
};

/** How long the range is, in milliseconds. */
export function lengthOf(fields: Fields): number {
  const { period, from = '', to = '' } = rangeOf(fields);
  return period ? HOURS[period] * HOUR_MS : Date.parse(to) - Date.parse(from);
}

export const attributeFilters = (fields: Fields): Fields => pick(fields, isAttribute);

/**
 * What a view asks the API for: the range, the filters with these names, and those by attributes. They go as the address has them; the
 * API checks them.
 */
export const askedOf = (
  environment: EnvironmentIds,
  fields: Fields,
  names: readonly string[] = [],
): EnvironmentIds & TelemetryRange => ({
  ...environment,
  ...rangeOf(fields),
  ...pick(fields, (name) => names.includes(name) || (names.length > 0 && isAttribute(name))),
});

/** The query of an address without its empty fields. */
const searchOf = (fields: Changes): string =>
  queryOf(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value || undefined])));

/** The address of a view of the environment. `view` may be a trace: `traces/…`. */
export const viewHref = (
  { projectId, environmentId }: EnvironmentIds,
  view: string,
  fields: Changes = {},
): string => `/projects/${projectId}/${environmentId}/${view}${searchOf(fields)}`;

/** The range of an address, for the links to other views. */
export const keptRange = ({ period, from, to }: Fields): Changes => ({ period, from, to });

/** The state of the view from its address, and the address of the same view with another state. */
export function useFields() {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const fields: Fields = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search]);
  const hrefWith = (changes: Changes): string => path + searchOf({ ...fields, ...changes });
  return {
    fields,
    hrefWith,
    go: (changes: Changes, options?: { replace: boolean }) => navigate(hrefWith(changes), options),
  };
}
