import { changeError, type ErrorGroup } from '../../api/operations.generated.ts';
import { Failure } from '../../parts/failure.tsx';
import { useAction } from '../../parts/use-action.ts';
import type { EnvironmentIds } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';

/** Resolve, ignore, or open again, whichever the state leaves. */
export function StateButtons({ environment, group }: { environment: EnvironmentIds; group: ErrorGroup }) {
  const texts = backendWords.errors;
  const { run, error, isPending } = useAction(
    (state: 'open' | 'resolved' | 'ignored') => changeError({ ...environment, errorId: group.id, state }),
    { changes: [['errors'], ['error']] },
  );
  const isDone = group.state === 'resolved' || group.state === 'ignored';
  const states = isDone ? (['open'] as const) : (['resolved', 'ignored'] as const);
  return (
    <div class="error-actions">
      {states.map((state) => (
        <button
          key={state}
          type="button"
          class="button"
          disabled={isPending}
          aria-label={`${texts.actions[state]}: ${group.title}`}
          onClick={() => run(state)}
        >
          {texts.actions[state]}
        </button>
      ))}
      {error && <Failure error={error} />}
    </div>
  );
}
