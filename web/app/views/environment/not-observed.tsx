import { Link } from 'wouter-preact';
import { type EnvironmentIds, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';

/** Why a list is empty: nothing came, or nothing of it fits the filters. */
export function NotObserved({ environment, observed }: { environment: EnvironmentIds; observed: boolean }) {
  const texts = backendWords.empty;
  if (observed)
    return (
      <div class="empty">
        <strong>{texts.filtered}</strong>
        <p>{texts.filteredText}</p>
      </div>
    );
  return (
    <div class="empty hatched">
      <strong>{texts.nothing}</strong>
      <p>{texts.nothingText}</p>
      <Link class="button" href={viewHref(environment, 'connection')}>
        {texts.toConnection}
      </Link>
    </div>
  );
}
