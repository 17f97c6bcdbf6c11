import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { type AssociationItem, getAssociations } from '../../api/operations.generated.ts';
import { exact, milliseconds, percent } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import type { Asked } from '../../state/site-query.ts';
import { viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import type { Evidence } from '../trace/evidence-mark.tsx';

const ROWS = 50;
const COUNTED = {
  bothSides: 'both sides',
  responseContext: 'response context',
  traceparentSent: 'traceparent sent',
  notConfirmed: 'not confirmed',
} as const satisfies Partial<Record<keyof AssociationItem, Evidence>>;

interface RequestsPanelProps {
  asked: Asked;
  page: string;
  projectId: string;
}

/** What a page's visits asked of backends: how slow it was, how often it failed, and what links both. Nothing where nothing is linked. */
export default function RequestsPanel({ asked, page, projectId }: RequestsPanelProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['associations', asked, page],
    queryFn: ({ signal }) => getAssociations({ ...asked, page, limit: ROWS }, signal),
  });
  const texts = backendWords.requests;
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined || data.data.length === 0) return null;
  return (
    <section class="card panel requests" aria-label={texts.title}>
      <header>
        <h2>{texts.title}</h2>
      </header>
      <p class="soft">{texts.of(page)}</p>
      <Scrolls label={texts.title}>
        <table class="list-table">
          <thead>
            <tr>
              <th>{texts.operation}</th>
              <th class="number">{texts.requests}</th>
              <th class="number">{texts.failed}</th>
              <th class="number">p50</th>
              <th class="number">p95</th>
              <th>{texts.linkedBy}</th>
              <th>{texts.traces}</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map((row) => (
              <Row
                key={`${row.environmentId} ${row.origin} ${row.service} ${row.operation}`}
                {...{ row, projectId }}
              />
            ))}
          </tbody>
        </table>
      </Scrolls>
      {data.meta.approximate !== undefined && <p class="soft">{texts.newest}</p>}
    </section>
  );
}

function Row({ row, projectId }: { row: AssociationItem; projectId: string }) {
  const texts = backendWords.requests;
  const environment = { projectId, environmentId: row.environmentId };
  const { requests, failed, p50Ms, p95Ms } = row;
  const linked = (Object.keys(COUNTED) as (keyof typeof COUNTED)[]).filter((name) => row[name] > 0);
  return (
    <tr>
      <td>
        {row.operation ?? texts.notConfirmed}
        <br />
        <span class="soft">
          {[row.service, row.environment, row.origin].filter((text) => text !== null).join(' · ')}
        </span>
      </td>
      <td class="number">{exact(requests)}</td>
      <td class="number">
        {failed === null ? '–' : `${exact(failed)} (${percent((100 * failed) / requests)})`}
      </td>
      <td class="number">{p50Ms === null ? '–' : milliseconds(p50Ms)}</td>
      <td class="number">{p95Ms === null ? '–' : milliseconds(p95Ms)}</td>
      <td>
        {linked.map((name) => (
          <span key={name} class="badge" title={backendWords.journey.evidenceTexts[COUNTED[name]]}>
            {backendWords.journey.evidences[COUNTED[name]]} {exact(row[name])}
          </span>
        ))}
      </td>
      <td>
        {row.slowestTraceId && (
          <Link href={viewHref(environment, `traces/${row.slowestTraceId}`)}>{texts.slowest}</Link>
        )}{' '}
        {row.failedTraceId && (
          <Link href={viewHref(environment, `traces/${row.failedTraceId}`)}>{texts.lastFailed}</Link>
        )}
      </td>
    </tr>
  );
}
