import type { GoalItem } from '../../api/operations.generated.ts';
import { exact } from '../../format.ts';
import { words } from '../../words/index.ts';

type Figures = Pick<GoalItem, 'conversions' | 'conversionRate' | 'exact' | 'apart'>;

const REASONS = ['anonymousCounts', 'continuations', 'serverEvents'] as const;

/** What a goal shows: its visits where hits belong to visits, and how many conversions are apart. A share's answer to filters has all tiers alone. */
export function shownGoal({ conversions, conversionRate, exact: ofVisits, apart }: Figures) {
  const lines = REASONS.filter((reason) => apart !== null && apart[reason] > 0).map((reason) =>
    words.goalsPanel.apart[reason](exact(apart?.[reason] ?? 0)),
  );
  return ofVisits === null
    ? { conversions, conversionRate, apart: 0, lines }
    : {
        conversions: ofVisits.conversions,
        conversionRate: ofVisits.conversionRate,
        apart: conversions - ofVisits.conversions,
        lines,
      };
}
