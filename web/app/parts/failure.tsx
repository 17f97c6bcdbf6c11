import { ApiError } from '../api/operation.ts';
import { isPassing } from '../api/queries.ts';
import { words } from '../words/index.ts';
import { RuleText } from './refusals.tsx';

export const isOffline = (error: unknown): boolean => error instanceof ApiError && error.code === 'OFFLINE';

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && words.failure.sentences[error.message] === undefined;

/** What went wrong, and what to do about it. What the whole page waits for, `Trouble` says once: then a part with a `retry` is silent. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const texts = words.failure;
  if (isSignedOut(error)) return retry === undefined ? <SignInAgain /> : null;
  if (retry && isOffline(error)) return null;
  return (
    <div class="failure" role="alert">
      <p>{textOf(error)}</p>
      {retry && isPassing(error) && (
        <button type="button" class="button" onClick={retry}>
          {words.retry}
        </button>
      )}
      {error instanceof ApiError && error.details.length > 0 && (
        <ul>
          {error.details.map((detail) => (
            <li key={detail.path}>
              <RuleText {...detail} />
            </li>
          ))}
        </ul>
      )}
      {/* What the service says beyond what is known here, it says in English. */}
      {error instanceof ApiError && error.details.length === 0 && textOf(error) === texts.rules && (
        <p class="soft" lang="en">
          {error.message}
        </p>
      )}
    </div>
  );
}

/** Leads to the sign-in page, and from there back to this view. */
export function SignInAgain() {
  const { pathname, search } = window.location;
  return (
    <div class="failure" role="alert">
      <p>{words.failure.signedOut}</p>
      <a class="button main" href={`/sign-in?${new URLSearchParams({ to: pathname + search })}`}>
        {words.failure.signIn}
      </a>
    </div>
  );
}

function textOf(error: unknown): string {
  const texts = words.failure;
  if (!(error instanceof ApiError)) return texts.other;
  const sentence = texts.sentences[error.message];
  if (sentence !== undefined) return sentence;
  if (error.status === 0) return texts.offline;
  if (error.status === 429) return texts.limited(error.retryAfter ?? 60);
  if (error.status >= 500) return texts.unavailable;
  if (error.status === 404) return texts.notFound;
  if (error.status === 403) return texts.forbidden;
  return texts.rules;
}
