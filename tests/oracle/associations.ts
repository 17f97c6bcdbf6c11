/** What links pages to traces, in the simplest way: look through everything that came. */
import { isSiteHost } from '../../lib/collection/site-host.ts';

export interface OracleAssociation {
  site: number;
  visitor: number;
  page: number;
  trace: number;
  /** Epoch milliseconds, each its own. */
  at: number;
  origin: string;
  status: number | undefined;
  sent: boolean;
}

export interface OracleSpan {
  environment: number;
  trace: number;
  at: number;
  spanId: string;
  isServer: boolean;
  /** The attribute `vendor.page.origin`. */
  mark: string | undefined;
  failed: boolean;
  durationNano: number;
}

/** An origin of an environment, and the sites tied to it. */
export interface Tie {
  environment: number;
  origin: string;
  sites: readonly number[];
}

export interface OracleLink {
  association: OracleAssociation;
  evidence: 'both sides' | 'response context' | 'traceparent sent' | 'not confirmed';
  span: OracleSpan | undefined;
}

const NEAR_MS = 600_000;

/** The link of a trace in an environment; undefined if no page of a tied site reported it. */
export function linkOf(
  { environment, trace }: { environment: number; trace: number },
  facts: { associations: readonly OracleAssociation[]; spans: readonly OracleSpan[]; ties: readonly Tie[] },
  domains: readonly string[],
): OracleLink | undefined {
  const [association] = facts.associations
    .filter((one) => one.trace === trace)
    // Of the same page the first word of a trace counts.
    .filter((one) => !facts.associations.some((other) => isRepeated(one, other)))
    .filter(({ site, origin }) =>
      facts.ties.some(
        (tie) => tie.environment === environment && tie.origin === origin && tie.sites.includes(site),
      ),
    )
    .sort((a, b) => a.at - b.at);
  if (association === undefined) return undefined;
  const domain = domains[association.site] as string;
  const near = facts.spans
    .filter((span) => span.environment === environment && span.trace === trace)
    .filter(({ at }) => Math.abs(at - association.at) <= NEAR_MS)
    .sort((a, b) => a.at - b.at);
  const servers = near.filter(({ isServer }) => isServer);
  const marked = servers.filter(({ mark }) => mark !== undefined);
  const right = marked.find(
    ({ mark }) => URL.canParse(`${mark}`) && isSiteHost(new URL(`${mark}`).hostname, [domain]),
  );
  if (right !== undefined) return { association, evidence: 'both sides', span: right };
  const span = marked.length > 0 ? undefined : (servers[0] ?? near[0]);
  if (span === undefined) return { association, evidence: 'not confirmed', span };
  return { association, evidence: association.sent ? 'traceparent sent' : 'response context', span };
}

const isRepeated = (one: OracleAssociation, other: OracleAssociation): boolean =>
  (['site', 'visitor', 'page', 'trace'] as const).every((field) => one[field] === other[field]) &&
  other.at < one.at;
