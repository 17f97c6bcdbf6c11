import type { Journey } from '../../api/operations.generated.ts';
import { backendWords } from '../../words/backend.ts';

export type Evidence = NonNullable<Journey['association']>['evidence'];

/** What links a page to a trace. */
export const EvidenceMark = ({ evidence }: { evidence: Evidence }) => (
  <span class="badge" title={backendWords.journey.evidenceTexts[evidence]}>
    {backendWords.journey.evidences[evidence]}
  </span>
);
