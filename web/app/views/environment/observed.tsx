import type { TelemetryMeta } from '../../api/operations.generated.ts';
import { exact, listed, percent } from '../../format.ts';
import { backendWords } from '../../words/backend.ts';

type Reason = keyof typeof backendWords.observed.reasons;

type ObservedProps = Pick<TelemetryMeta, 'coverage' | 'range'>;
const SHORT_MS = 3 * 3_600_000;

/** How much of the period was observed, and what came and isn't stored, with the reasons. */
export function Observed({ coverage: { observedShare, dropped }, range }: ObservedProps) {
  const texts = backendWords.observed;
  // The service counts minutes of short ranges, in which a quiet one is no gap, and hours of others.
  const isShort = Date.parse(range.to) - Date.parse(range.from) <= SHORT_MS;
  const reasons = (Object.entries(dropped) as [Reason, number][]).filter(([, count]) => count > 0);
  return (
    <>
      {observedShare !== null && (
        <span class="soft">{(isShort ? texts.minutes : texts.share)(percent(100 * observedShare))}</span>
      )}
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
