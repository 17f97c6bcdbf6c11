import type { ReportMeta } from '../../api/operations.generated.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { words } from '../../words/index.ts';

interface CoverageNoteProps {
  meta: Pick<ReportMeta, 'coverage'>;
  /** What is pasted into the site's pages; only for members. */
  snippet: string | undefined;
}

/** Says that nothing was observed, which is never a zero. Nothing if something was. */
export function CoverageNote({ meta: { coverage }, snippet }: CoverageNoteProps) {
  if (coverage.observed) return null;
  const texts = words.empty;
  const isNew = coverage.since === null;
  return (
    <div class="empty hatched">
      <strong>{isNew ? texts.nothing : texts.notObserved}</strong>
      <p>{isNew ? texts.nothingText : texts.notObservedText}</p>
      {isNew && snippet !== undefined && <CopyText text={snippet} label={texts.nothingText} />}
    </div>
  );
}
