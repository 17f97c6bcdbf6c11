import type { ReachMeta } from '../../api/operations.generated.ts';
import { words } from '../../words/index.ts';

/** Why rates aren't exact. */
export const Reasons = ({ meta: { approximate } }: { meta: Pick<ReachMeta, 'approximate'> }) =>
  approximate.length === 0 ? null : (
    <ul class="remarks">
      {approximate.map((reason) => (
        <li key={reason}>{words.goals.approximate[reason]}</li>
      ))}
    </ul>
  );
