import { useLayoutEffect, useRef } from 'preact/hooks';
import { Link, useSearch } from 'wouter-preact';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useMayChange } from '../../state/use-may-change.ts';
import { alertWords } from '../../words/alerts.ts';
import { words } from '../../words/index.ts';
import { NotFoundView } from '../not-found/not-found-view.tsx';
import { AlertDetails } from './alert-details.tsx';
import { AlertForm } from './alert-form.tsx';
import type { Alert, AlertSource } from './alert-source.ts';
import { Heard, Since } from './alert-status.tsx';
import { conditionText, stateOf, valueText } from './alert-text.ts';
import { templatesOf } from './draft.ts';
import { StateBadge } from './state-badge.tsx';
import { readOpened, useAlerts, useGoalNames, useHrefs } from './use-alerts.ts';

/** The alerts of a site or environment: the list, or what `?alert=` names. */
export function Alerts({ source }: { source: AlertSource }) {
  const search = useSearch();
  const opened = readOpened(new URLSearchParams(search).get('alert') ?? undefined);
  const mayChange = useMayChange(source.projectId);
  const { data, error, refetch } = useAlerts(source);
  const begin = useFocus(search);
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="empty">{words.loading}</p>;
  const alert = 'alertId' in opened ? data.find(({ id }) => id === opened.alertId) : undefined;
  if ('alertId' in opened && alert === undefined) return <NotFoundView />;
  return (
    <div ref={begin} tabIndex={-1} class="alerts">
      {opened.kind === 'new' && mayChange ? (
        <AlertForm key={opened.like} source={source} like={opened.like} />
      ) : alert !== undefined && opened.kind === 'change' && mayChange ? (
        <AlertForm key={alert.id} source={source} alert={alert} />
      ) : alert !== undefined ? (
        <AlertDetails source={source} alert={alert} mayChange={mayChange} />
      ) : (
        <List {...{ source, mayChange }} alerts={data} />
      )}
    </div>
  );
}

/** The link that was followed went with what it stood in: the focus begins what is open now. */
function useFocus(search: string) {
  const begin = useRef<HTMLDivElement>(null);
  const before = useRef(search);
  useLayoutEffect(() => {
    if (before.current === search) return;
    before.current = search;
    if (document.activeElement === document.body) begin.current?.focus({ preventScroll: true });
  }, [search]);
  return begin;
}

interface ListProps {
  source: AlertSource;
  alerts: readonly Alert[];
  mayChange: boolean;
}

function List({ source, alerts, mayChange }: ListProps) {
  const texts = alertWords.list;
  const search = useSearch();
  const hrefOf = useHrefs();
  if (alerts.length === 0)
    return (
      <div class="card empty">
        <strong>{texts.none}</strong>
        <p>{mayChange ? texts.noneText : texts.noneViewer}</p>
        {mayChange && (
          <p class="buttons">
            {templatesOf(source).map(({ name }) => (
              <Link key={name} class="button" href={hrefOf(`new:${name}`, search)}>
                {alertWords.templates[name]}
              </Link>
            ))}
            <Link class="button main" href={hrefOf('new', search)}>
              <Icon name="plus" />
              {texts.add}
            </Link>
          </p>
        )}
      </div>
    );
  return (
    <>
      {mayChange && (
        <p class="alert-actions">
          <Link class="button main" href={hrefOf('new', search)}>
            <Icon name="plus" />
            {texts.add}
          </Link>
        </p>
      )}
      <ul class="card alert-list" aria-label={words.views.alerts}>
        {alerts.map((alert) => (
          <Row key={alert.id} {...{ source, alert }} />
        ))}
      </ul>
    </>
  );
}

function Row({ source, alert }: { source: AlertSource; alert: Alert }) {
  const texts = alertWords.list;
  const search = useSearch();
  const hrefOf = useHrefs();
  const { nameOf } = useGoalNames(source);
  const state = stateOf(alert);
  return (
    <li>
      <StateBadge state={state} />
      <div class="what">
        <Link href={hrefOf(alert.id, search)}>{alert.name}</Link>
        <p class="small">{conditionText(alert, nameOf)}</p>
        <p class="soft small">
          <Heard source={source} alert={alert} />
        </p>
      </div>
      <div class="now-value">
        {alert.value !== null && (
          <strong>
            <span class="unseen">{texts.value}: </span>
            {valueText(alert.value, alert)}
          </strong>
        )}
        <span class="soft small">
          <Since {...{ alert, state }} zone={source.zone} />
        </span>
      </div>
    </li>
  );
}
