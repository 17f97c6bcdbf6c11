import { useQuery } from '@tanstack/preact-query';
import { useId } from 'preact/hooks';
import { FIELDS } from '../../../../lib/alerts/alert-fields.ts';
import { listMetrics, listOutcomes, listServices, summarizeService } from '../../api/operations.generated.ts';
import { Field } from '../../parts/field.tsx';
import { useRefusal } from '../../parts/refusals.tsx';
import type { EnvironmentIds } from '../../state/telemetry-query.ts';
import { alertWords } from '../../words/alerts.ts';
import type { Subject } from './alert-source.ts';
import type { DraftProps } from './draft.ts';

const PERIOD = '30d' as const;
const MOST = 100;
const SEVERITIES = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
const AGGREGATIONS = ['sum', 'avg', 'min', 'max', 'rate'] as const;

interface EnvironmentFieldsProps extends DraftProps {
  environment: EnvironmentIds;
}

/** What the number of an environment is of: service, operation, words of records, a metric, a type. */
export function EnvironmentFields({ environment, draft, onChange }: EnvironmentFieldsProps) {
  const texts = alertWords.form;
  const { metric, subject } = draft;
  const fields = FIELDS[metric];
  const set = (changes: Subject): void => onChange({ subject: { ...subject, ...changes } });
  const names = useNames(environment, draft);
  const isServiceNeeded = fields.service === true || (subject.operation ?? '') !== '';
  return (
    <>
      {'metricName' in fields && (
        <Suggested
          label={texts.metricName}
          name="metricName"
          required
          names={names.metrics}
          value={subject.metricName}
          onText={(metricName) => set({ metricName })}
        />
      )}
      {'aggregation' in fields && (
        <Choice
          label={texts.aggregation}
          name="aggregation"
          value={subject.aggregation}
          choices={AGGREGATIONS.map((one) => [one, texts.aggregations[one]])}
          onChoose={(aggregation) => set({ aggregation: aggregation as NonNullable<Subject['aggregation']> })}
        />
      )}
      {'service' in fields && (
        <Suggested
          label={texts.service}
          name="service"
          required={isServiceNeeded}
          names={names.services}
          {...(!isServiceNeeded && { note: texts.anyService })}
          value={subject.service}
          onText={(service) => set({ service })}
        />
      )}
      {'operation' in fields && (
        <Suggested
          label={texts.operation}
          name="operation"
          note={texts.anyOperation}
          names={names.operations}
          value={subject.operation}
          onText={(operation) => set({ operation })}
        />
      )}
      {'severity' in fields && (
        <Choice
          label={texts.severity}
          name="severity"
          any={texts.anySeverity}
          value={subject.severity}
          choices={SEVERITIES.map((one) => [one, one])}
          onChoose={(severity) => {
            const { severity: _, ...others } = subject;
            onChange({
              subject:
                severity === ''
                  ? others
                  : { ...others, severity: severity as NonNullable<Subject['severity']> },
            });
          }}
        />
      )}
      {'text' in fields && (
        <Suggested
          label={texts.text}
          name="text"
          maxLength={200}
          value={subject.text}
          onText={(text) => set({ text })}
        />
      )}
      {'outcomeType' in fields && (
        <Suggested
          label={texts.outcomeType}
          name="outcomeType"
          note={texts.anyType}
          maxLength={64}
          names={names.outcomes}
          value={subject.outcomeType}
          onText={(outcomeType) => set({ outcomeType })}
        />
      )}
    </>
  );
}

/** What the environment had in the last 30 days, as far as the metric takes it. */
function useNames(environment: EnvironmentIds, { metric, subject }: DraftProps['draft']) {
  const fields = FIELDS[metric];
  const asked = { ...environment, period: PERIOD };
  const services = useQuery({
    queryKey: ['alert-names', 'services', asked],
    queryFn: ({ signal }) => listServices({ ...asked, limit: MOST }, signal),
    enabled: 'service' in fields,
  }).data?.data.map(({ name }) => name);
  const service = subject.service ?? '';
  const operations = useQuery({
    queryKey: ['alert-names', 'operations', asked, service],
    queryFn: ({ signal }) => summarizeService({ ...asked, service, limit: MOST }, signal),
    enabled: 'operation' in fields && services?.includes(service) === true,
  }).data?.data?.operations.map(({ operation }) => operation);
  const metrics = useQuery({
    queryKey: ['alert-names', 'metrics', asked],
    queryFn: ({ signal }) => listMetrics({ ...asked, limit: MOST }, signal),
    enabled: 'metricName' in fields,
  }).data?.data.map(({ name }) => name);
  const outcomes = useQuery({
    queryKey: ['alert-names', 'outcomes', asked],
    queryFn: ({ signal }) => listOutcomes({ ...asked, limit: 1 }, signal),
    enabled: 'outcomeType' in fields,
  }).data?.data.types.map(({ type }) => type);
  return { services, operations, metrics, outcomes };
}

interface SuggestedProps {
  label: string;
  name: string;
  note?: string;
  required?: boolean;
  maxLength?: number;
  names?: readonly string[] | undefined;
  value: string | undefined;
  onText: (text: string) => void;
}

/** A text, with suggestions. */
function Suggested({
  label,
  note,
  names = [],
  value = '',
  onText,
  maxLength = 255,
  ...input
}: SuggestedProps) {
  const list = useId();
  const { marks, rule } = useRefusal(input.name);
  return (
    <Field label={label} rule={rule} {...(note !== undefined && { note })}>
      <input
        class="input"
        autocomplete="off"
        list={list}
        {...{ maxLength, value }}
        {...input}
        {...marks}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <datalist id={list}>
        {[...new Set(names)].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </Field>
  );
}

interface ChoiceProps {
  label: string;
  name: string;
  any?: string;
  value: string | undefined;
  choices: readonly (readonly [string, string])[];
  onChoose: (value: string) => void;
}

function Choice({ label, name, any, value, choices, onChoose }: ChoiceProps) {
  const { marks, rule } = useRefusal(name);
  return (
    <Field label={label} rule={rule}>
      <select
        class="input"
        name={name}
        value={value ?? ''}
        {...marks}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {any !== undefined && <option value="">{any}</option>}
        {choices.map(([one, shown]) => (
          <option key={one} value={one}>
            {shown}
          </option>
        ))}
      </select>
    </Field>
  );
}
