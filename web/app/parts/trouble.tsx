import { useEffect, useState } from 'preact/hooks';
import { queries } from '../api/queries.ts';
import { words } from '../words/index.ts';
import { isOffline, isSignedOut, SignInAgain } from './failure.tsx';

type Kind = 'offline' | 'signedOut' | undefined;

/** What keeps everything on the page from its answers. A question waits while the browser knows that it has no connection. */
function kindNow(): Kind {
  const shown = queries.getQueryCache().findAll({ type: 'active' });
  if (shown.some(({ state }) => isSignedOut(state.error))) return 'signedOut';
  return shown.some(({ state }) => isOffline(state.error) || state.fetchStatus === 'paused')
    ? 'offline'
    : undefined;
}

/** Whoever reads a share has no session: what opened it has ended, so it is asked whether it is still open. */
function askShareAgain(): void {
  const shown = queries.getQueryCache().findAll({ type: 'active' });
  if (shown.some(({ queryKey, state }) => queryKey[0] !== 'share' && isSignedOut(state.error)))
    void queries.invalidateQueries({ queryKey: ['share'] });
}

/** One message for the whole page, and one button for all that waits: a lost connection, and the end of the session. */
export function Trouble({ isShared = false }: { isShared?: boolean }) {
  const [kind, setKind] = useState<Kind>();
  useEffect(
    () =>
      queries.getQueryCache().subscribe(() => {
        const now = kindNow();
        setKind(isShared && now === 'signedOut' ? undefined : now);
        if (isShared && now === 'signedOut') askShareAgain();
      }),
    [isShared],
  );
  if (kind === undefined) return null;
  if (kind === 'signedOut') return <SignInAgain />;
  return (
    <div class="failure" role="alert">
      <p>{words.failure.offline}</p>
      <button
        type="button"
        class="button"
        onClick={() =>
          queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null })
        }
      >
        {words.retry}
      </button>
    </div>
  );
}
