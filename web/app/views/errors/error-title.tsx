import type { ErrorGroup } from '../../api/operations.generated.ts';
import { exact } from '../../format.ts';
import { backendWords } from '../../words/backend.ts';

/** The type and the location of a group, as programs write them. */
export function ErrorTitle({ group: { type, cause, location, template, service } }: { group: ErrorGroup }) {
  if (service === null) return <strong>{backendWords.errors.others}</strong>;
  return (
    <>
      <strong>
        {type}
        {cause !== null && ` (${cause})`}
      </strong>
      {location !== null && <code>{location}</code>}
      {template !== null && <span class="template">{template}</span>}
    </>
  );
}

/** What a person has to know of a group before all else: it is new, it returned, it is solved. An open one has no mark. */
export function StateMark({ group: { state, isNew } }: { group: ErrorGroup }) {
  const { states, isNew: newText } = backendWords.errors;
  if (state !== 'open') return <span class={`error-state ${state}`}>{states[state]}</span>;
  return isNew ? <span class="error-state new">{newText}</span> : null;
}

/** In how many traces, and how often where one trace has it several times. */
export function timesOf({ traces, occurrences }: Pick<ErrorGroup, 'traces' | 'occurrences'>): string {
  const texts = backendWords.errors;
  const times = texts.times(occurrences, exact(occurrences));
  return traces === null || traces === 0 || traces === occurrences
    ? times
    : `${texts.inTraces(traces, exact(traces))} · ${times}`;
}
