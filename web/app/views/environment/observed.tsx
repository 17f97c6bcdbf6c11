import type { TelemetryMeta } from '../../api/operations.generated.ts';
import { exact, listed, percent } from '../../format.ts';
import { backendWords } from '../../words/backend.ts';

type Reason = keyof typeof backendWords.observed.reasons;

/** How much of the period was observed, and what came and isn't stored, with the reasons. */
export function Observed({ coverage: { observedShare, dropped } }: Pick<TelemetryMeta, 'coverage'>) {
  const texts = backendWords.observed;
  const reasons = (Object.entries(dropped) as [Reason, number][]).filter(([, count]) => count > 0);
  return (
    <>
      {observedShare !== null && <span class="soft">{texts.share(percent(100 * observedShare))}</span>}
      {reasons.length > 0 && (
        <span class="wrong">
          {texts.dropped(
            listed(reasons.map(([reason, count]) => `${exact(count)} ${texts.reasons[reason]}`)),
          )}
        </span>
      )}
    </>
  );
}
