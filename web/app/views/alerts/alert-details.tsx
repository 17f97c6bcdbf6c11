import { useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import type { AlertChange } from '../../api/operations.generated.ts';
import { exact, rate } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { More, usePages } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import type { Dimension } from '../../state/site-query.ts';
import { alertWords } from '../../words/alerts.ts';
import { words } from '../../words/index.ts';
import { showValue } from '../site/panels.ts';
import { AlertPreview } from './alert-preview.tsx';
import { type Alert, type AlertSource, keyOf, type Rule } from './alert-source.ts';
import { Heard, Since } from './alert-status.tsx';
import { conditionText, limitText, stateOf, valueText, when } from './alert-text.ts';
import { draftOf, ruleOf } from './draft.ts';
import { MuteButtons } from './mute.tsx';
import { StateBadge } from './state-badge.tsx';
import { useGoalNames, useHrefs } from './use-alerts.ts';

interface AlertDetailsProps {
  source: AlertSource;
  alert: Alert;
  mayChange: boolean;
}

/** One alert: its state, what it would have done in the last days, and its history. */
export function AlertDetails({ source, alert, mayChange }: AlertDetailsProps) {
  const texts = alertWords.details;
  const search = useSearch();
  const hrefOf = useHrefs();
  const { nameOf } = useGoalNames(source);
  const state = stateOf(alert);
  const { zone } = source;
  return (
    <div class="sections">
      <p>
        <Link href={hrefOf(undefined, search)}>← {texts.all}</Link>
      </p>
      <section class="card section" aria-labelledby="alert-name">
        <div class="between">
          <h2 id="alert-name">{alert.name}</h2>
          {mayChange && <Buttons {...{ source, alert }} />}
        </div>
        <p>{conditionText(alert, nameOf)}</p>
        <p class="alert-facts">
          <StateBadge state={state} />
          <span class="soft">
            <Since {...{ alert, state, zone }} />
          </span>
          {alert.value !== null && <strong>{valueText(alert.value, alert)}</strong>}
          {alert.baseline !== null && (
            <span class="soft">{texts.baseline(valueText(alert.baseline, alert))}</span>
          )}
          {alert.evaluatedTo !== null && (
            <span class="soft">{texts.evaluatedTo(when(alert.evaluatedTo, zone))}</span>
          )}
        </p>
        {alert.reason !== null && <p>{alertWords.reasons[alert.reason]}</p>}
        {alert.alarmSince !== null && state !== 'firing' && (
          <p>{alertWords.list.stillOpen(when(alert.alarmSince, zone))}</p>
        )}
        <p class="soft small">
          <Heard {...{ source, alert }} />
        </p>
      </section>
      {mayChange && <AlertPreview source={source} rule={ruleOf(draftOf(source, alert))} />}
      <History {...{ source, alert }} />
    </div>
  );
}

function Buttons({ source, alert }: { source: AlertSource; alert: Alert }) {
  const search = useSearch();
  const hrefOf = useHrefs();
  const [, navigate] = useLocation();
  const [deletes, setDeletes] = useState(false);
  return (
    <div class="buttons">
      <Link class="button" href={hrefOf(`${alert.id}:change`, search)}>
        <Icon name="edit" />
        {words.forms.change('').trim()}
        <span class="unseen">{alert.name}</span>
      </Link>
      <MuteButtons {...{ source, alert }} />
      <button type="button" class="button" onClick={() => setDeletes(true)}>
        <Icon name="delete" />
        {words.forms.deleteIt}
        <span class="unseen">{alert.name}</span>
      </button>
      {deletes && (
        <ConfirmDialog
          title={alertWords.delete}
          submit={words.forms.deleteIt}
          act={() => source.remove(alert.id).then(() => navigate(hrefOf(undefined, search)))}
          changes={[keyOf(source), ['firing']]}
          onClose={() => setDeletes(false)}
        >
          <p>{alertWords.deleteText(alert.name)}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function History({ source, alert }: { source: AlertSource; alert: Alert }) {
  const texts = alertWords.details;
  const pages = usePages<AlertChange, Awaited<ReturnType<AlertSource['history']>>>(
    [...keyOf(source), 'history', alert.id, alert.since],
    (part, signal) => source.history(alert.id, part, signal),
  );
  return (
    <Section title={texts.history}>
      {pages.error && <Failure error={pages.error} retry={pages.refetch} />}
      {pages.rows === undefined && !pages.error && <p class="soft">{words.loading}</p>}
      {pages.rows?.length === 0 && <p class="soft">{texts.noHistory}</p>}
      <ol class="alert-history">
        {pages.rows?.map((change) => (
          <Change key={change.at} {...{ source, change }} rule={alert} />
        ))}
      </ol>
      <More of={pages} />
    </Section>
  );
}

function Change({ source, rule, change }: { source: AlertSource; rule: Rule; change: AlertChange }) {
  const texts = alertWords.details;
  const { at, state, message, value, baseline, threshold, reason, changed } = change;
  return (
    <li>
      <span class="soft">{when(at, source.zone)}</span>
      <div>
        <p class="alert-facts">
          <StateBadge state={state} />
          {value !== null && <strong>{valueText(value, rule)}</strong>}
          {baseline !== null && <span class="soft">{texts.baseline(valueText(baseline, rule))}</span>}
          {rule.compare !== 'silent' && (
            <span class="soft">{texts.limit(limitText({ ...rule, threshold }))}</span>
          )}
        </p>
        {message !== null && <p class="small">{texts.heard[message]}</p>}
        {reason !== null && <p class="small">{alertWords.reasons[reason]}</p>}
        {changed.length > 0 && (
          <p class="soft small">
            {texts.changed}{' '}
            {changed
              .map((one) => `${nameOfValue(one)} ${one.change > 0 ? '+' : ''}${amount(one.change)}`)
              .join(', ')}
          </p>
        )}
      </div>
    </li>
  );
}

const amount = (change: number): string => (Number.isInteger(change) ? exact(change) : rate(change));

const nameOfValue = ({ dimension, value }: AlertChange['changed'][number]): string =>
  dimension === 'operation' || dimension === 'error' ? value : showValue(dimension as Dimension, value);
