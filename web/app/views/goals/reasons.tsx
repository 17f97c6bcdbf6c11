import type { ReachMeta } from '../../api/operations.generated.ts';
import { goalWords } from '../../words/goals.ts';

/** Why rates aren't exact. */
export const Reasons = ({ meta: { approximate } }: { meta: Pick<ReachMeta, 'approximate'> }) =>
  approximate.length === 0 ? null : (
    <ul class="remarks">
      {approximate.map((reason) => (
        <li key={reason}>{goalWords.goals.approximate[reason]}</li>
      ))}
    </ul>
  );
