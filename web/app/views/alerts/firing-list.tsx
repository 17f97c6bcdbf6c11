import { Link } from 'wouter-preact';
import type { listAllAlerts, OwnedAlert } from '../../api/operations.generated.ts';
import { exact, time, zoneHere } from '../../format.ts';
import { viewHref } from '../../state/telemetry-query.ts';
import { alertWords } from '../../words/alerts.ts';
import { valueText } from './alert-text.ts';

interface FiringListProps {
  alerts: Awaited<ReturnType<typeof listAllAlerts>>;
  onFollow: () => void;
}

const hrefOf = (alert: OwnedAlert): string =>
  alert.kind === 'site'
    ? `/sites/${alert.siteId}/alerts?alert=${alert.id}`
    : viewHref(alert, 'alerts', { alert: alert.id });

/** What fires now: name, number, value, since when. */
export default function FiringList({ alerts: { data, meta }, onFollow }: FiringListProps) {
  const texts = alertWords.firing;
  if (data.length === 0)
    return (
      <div class="firing-none">
        <strong>{texts.none}</strong>
        <p>{texts.noneText}</p>
      </div>
    );
  return (
    <>
      <ul class="firing">
        {data.map((alert) => (
          <li key={alert.id}>
            <Link href={hrefOf(alert)} onClick={onFollow}>
              <strong>{alert.name}</strong>
              <span>
                {alert.kind === 'site' ? alert.site : alert.environment} · {alertWords.metrics[alert.metric]}
                {alert.value !== null && `: ${valueText(alert.value, alert)}`}
              </span>
              <span class="soft small">{texts.since(time(alert.since, 'long-hour', zoneHere()))}</span>
            </Link>
          </li>
        ))}
      </ul>
      {meta.total > data.length && <p>{texts.more(exact(meta.total - data.length))}</p>}
    </>
  );
}
