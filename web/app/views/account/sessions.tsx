import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import {
  listSessions,
  revokeOtherSessions,
  revokeSession,
  type Session,
} from '../../api/operations.generated.ts';
import { time, zoneHere } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { useAction } from '../../parts/use-action.ts';
import { peopleWords } from '../../words/people.ts';

/** The browsers that are signed in. */
export function Sessions() {
  const texts = peopleWords.sessions;
  const [isAsking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => listSessions({}, signal),
  });
  const sessions = data?.data ?? [];
  return (
    <Section title={texts.title}>
      {error && <Failure error={error} retry={refetch} />}
      <ul class="entries">
        {sessions.map((session) => (
          <SessionEntry key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <p class="buttons">
          <button type="button" class="button" onClick={() => setAsking(true)}>
            {texts.endOthers}
          </button>
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={texts.endOthers}
          submit={texts.endOthers}
          act={() => revokeOtherSessions({})}
          changes={[['sessions']]}
          onClose={() => setAsking(false)}
        >
          <p>{texts.endOthersText}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function SessionEntry({ session: { id, browser, os, current, createdAt, expiresAt } }: { session: Session }) {
  const texts = peopleWords.sessions;
  const { run, error, isPending } = useAction(() => revokeSession({ sessionId: id }), {
    changes: [['sessions']],
  });
  const name = browser && os ? texts.of(browser, os) : (browser ?? os ?? texts.unknown);
  const zone = zoneHere();
  return (
    <li>
      <div>
        <strong>{name}</strong> {current && <span class="badge">{texts.here}</span>}
        <p class="soft small">
          {texts.since(time(createdAt, 'long-hour', zone))}, {texts.until(time(expiresAt, 'long-hour', zone))}
        </p>
      </div>
      {!current && (
        <button type="button" class="button" disabled={isPending} onClick={() => run()}>
          {texts.end}
          <span class="unseen"> {name}</span>
        </button>
      )}
      {error && <Failure error={error} />}
    </li>
  );
}
