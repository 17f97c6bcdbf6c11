import { Suspense } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { type AlertMetric, type Compare, unitOf } from '../../../../lib/alerts/alert-fields.ts';
import { ApiError } from '../../api/operation.ts';
import { lazyView } from '../../lazy-view.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { RefusalsProvider, splitRefusal, useRefusal } from '../../parts/refusals.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useAction } from '../../parts/use-action.ts';
import { alertWords } from '../../words/alerts.ts';
import { words } from '../../words/index.ts';
import { AlertPreview } from './alert-preview.tsx';
import { type Alert, type AlertSource, keyOf } from './alert-source.ts';
import {
  changesOf,
  comparesOf,
  type Draft,
  type DraftProps,
  draftOf,
  leastMinutes,
  mostMinutes,
  newDraft,
  ruleOf,
  savedOf,
} from './draft.ts';
import { EnvironmentFields } from './environment-fields.tsx';
import { SiteFields } from './site-fields.tsx';
import { useChannels, useHrefs } from './use-alerts.ts';

const NewChannel = lazyView(() => import('../channels/new-channel.tsx'), 'messages');

const MAX_NAME_LENGTH = 100;
const MAX_CHANNELS = 10;
/** The fields that show themselves why the service refused them. */
const FIELDS = [
  ...['name', 'compare', 'threshold', 'forMinutes', 'channels', 'goalId', 'event', 'currency', 'filters'],
  ...['service', 'operation', 'severity', 'text', 'metricName', 'aggregation', 'outcomeType', 'metric'],
];

interface AlertFormProps {
  source: AlertSource;
  /** Undefined: a new one, like a ready-made rule if there is one of this name. */
  alert?: Alert;
  like?: string | undefined;
}

/** A rule in fields, beside what it would have done. */
export function AlertForm({ source, alert, like }: AlertFormProps) {
  const texts = alertWords.form;
  const search = useSearch();
  const hrefOf = useHrefs();
  const [, navigate] = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<Draft>(() =>
    alert === undefined
      ? newDraft(source, like, ({ name }) => alertWords.templates[name])
      : draftOf(source, alert),
  );
  const change = (changes: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changes }));
  const [addsChannel, setAddsChannel] = useState(false);
  const { run, error, isPending } = useAction(
    () =>
      alert === undefined ? source.create(savedOf(draft)) : source.change(alert.id, changesOf(source, draft)),
    {
      changes: [keyOf(source), ['firing']],
      onDone: ({ id }) => navigate(hrefOf(alert === undefined ? undefined : id, search)),
    },
  );
  const { refused, rest } = splitRefusal(inWords(error), FIELDS);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  const title = alert === undefined ? texts.add : words.forms.change(alert.name);
  return (
    <div class="alert-form">
      <form
        ref={form}
        class="card section form"
        aria-labelledby="alert-form-title"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <h2 id="alert-form-title">{title}</h2>
        <RefusalsProvider value={refused}>
          <TextField
            label={texts.name}
            name="name"
            required
            maxLength={MAX_NAME_LENGTH}
            value={draft.name}
            onText={(name) => change({ name })}
          />
          <MetricField metrics={source.metrics} draft={draft} onChange={change} />
          {source.site && <SiteFields site={source.site} draft={draft} onChange={change} />}
          {source.environment && (
            <EnvironmentFields environment={source.environment} draft={draft} onChange={change} />
          )}
          <Condition draft={draft} onChange={change} />
          <Channels source={source} draft={draft} onChange={change} onAdd={() => setAddsChannel(true)} />
        </RefusalsProvider>
        {rest != null && <Failure error={rest} />}
        <p class="buttons">
          <button type="submit" class="button main" disabled={isPending}>
            {alert === undefined ? texts.add : words.save}
          </button>
          <Link class="button" href={hrefOf(alert?.id, search)}>
            {words.cancel}
          </Link>
        </p>
      </form>
      <AlertPreview source={source} rule={ruleOf(draft)} />
      {addsChannel && (
        <Suspense fallback={null}>
          <NewChannel
            projectId={source.projectId}
            onMade={(id) => change({ channels: [...draft.channels, id] })}
            onClose={() => setAddsChannel(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The rules that the service names, in the page's language. */
function inWords(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const details = error.details.map(({ path, message }) => {
    const shown = alertWords.rule(message);
    return { path, message, ...(shown !== message && { shown }) };
  });
  return new ApiError(error.code, error.message, {
    status: error.status,
    details,
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
  });
}

function MetricField({ metrics, draft, onChange }: DraftProps & { metrics: readonly AlertMetric[] }) {
  const { marks, rule } = useRefusal('metric');
  const choose = (metric: AlertMetric): void => {
    const compares = comparesOf(metric);
    const minutes = Math.max(
      leastMinutes(metric),
      Math.min(Number(draft.forMinutes) || 1, mostMinutes(metric)),
    );
    onChange({
      metric,
      // What a template is called says what it watched.
      ...(Object.values<string>(alertWords.templates).includes(draft.name) && { name: '' }),
      forMinutes: String(minutes),
      ...(!compares.includes(draft.compare) && { compare: compares[0] ?? 'above' }),
      ...(metric === 'metric' &&
        draft.subject.aggregation === undefined && { subject: { ...draft.subject, aggregation: 'avg' } }),
    });
  };
  return (
    <Field label={alertWords.form.metric} rule={rule}>
      <select
        class="input"
        name="metric"
        value={draft.metric}
        {...marks}
        onChange={({ currentTarget }) => choose(currentTarget.value as AlertMetric)}
      >
        {metrics.map((one) => (
          <option key={one} value={one}>
            {alertWords.metrics[one]}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Condition({ draft, onChange }: DraftProps) {
  const texts = alertWords.form;
  const { compare, metric, threshold, forMinutes, subject } = draft;
  const compared = useRefusal('compare');
  const limited = useRefusal('threshold');
  const lasting = useRefusal('forMinutes');
  const isRelative = compare === 'rose_by' || compare === 'fell_by';
  const unit = isRelative
    ? '%'
    : unitOf(draft) === 'currency'
      ? subject.currency
      : texts.units[unitOf(draft)];
  return (
    <>
      <div class="side-by-side">
        <Field label={texts.compare} rule={compared.rule}>
          <select
            class="input"
            name="compare"
            value={compare}
            {...compared.marks}
            onChange={({ currentTarget }) => onChange({ compare: currentTarget.value as Compare })}
          >
            {comparesOf(metric).map((one) => (
              <option key={one} value={one}>
                {texts.compares[one]}
              </option>
            ))}
          </select>
        </Field>
        {compare !== 'silent' && (
          <Field label={unit ? `${texts.threshold} (${unit})` : texts.threshold} rule={limited.rule}>
            <input
              class="input"
              name="threshold"
              type="number"
              required
              min={0}
              step="any"
              value={threshold}
              {...limited.marks}
              onInput={({ currentTarget }) => onChange({ threshold: currentTarget.value })}
            />
          </Field>
        )}
      </div>
      {isRelative && <p class="soft small">{texts.usualNote}</p>}
      <Field label={texts.minutes} rule={lasting.rule}>
        <input
          class="input"
          name="forMinutes"
          type="number"
          required
          min={leastMinutes(metric)}
          max={mostMinutes(metric)}
          step={1}
          value={forMinutes}
          {...lasting.marks}
          onInput={({ currentTarget }) => onChange({ forMinutes: currentTarget.value })}
        />
      </Field>
    </>
  );
}

interface ChannelsProps extends DraftProps {
  source: AlertSource;
  onAdd: () => void;
}

/** The project's channels, by their names, and the way to another. */
function Channels({ source, draft, onChange, onAdd }: ChannelsProps) {
  const texts = alertWords.form;
  const channels = useChannels(source);
  const { marks, rule } = useRefusal('channels');
  const known = channels?.map(({ id }) => id);
  // A deleted channel may be left in an alert, and is refused when it is saved.
  const chosen = draft.channels.filter((id) => known?.includes(id) ?? true);
  const toggle = (id: string): void =>
    onChange({ channels: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id] });
  useEffect(() => {
    if (chosen.length !== draft.channels.length) onChange({ channels: chosen });
  }, [chosen.length, draft.channels.length]);
  return (
    <fieldset class="choices">
      <legend>{texts.channels}</legend>
      {channels?.length === 0 && <p class="small">{texts.noChannels}</p>}
      <div class="checks">
        {channels?.map(({ id, name }) => (
          <label key={id}>
            <input
              type="checkbox"
              name="channels"
              value={id}
              checked={chosen.includes(id)}
              disabled={!chosen.includes(id) && chosen.length >= MAX_CHANNELS}
              {...marks}
              onChange={() => toggle(id)}
            />
            {name}
          </label>
        ))}
      </div>
      {rule}
      {channels && channels.length > 0 && <small class="soft">{texts.channelsNote}</small>}
      <p class="buttons">
        <button type="button" class="button" onClick={onAdd}>
          <Icon name="plus" />
          {texts.addChannel}
        </button>
        <Link class="small" href={`/projects/${source.projectId}/channels`}>
          {texts.toChannels}
        </Link>
      </p>
    </fieldset>
  );
}
