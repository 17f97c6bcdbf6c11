import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { getSession, type Person, requestEmailConfirmation } from '../../api/operations.generated.ts';
import { time, zoneHere } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { useAction } from '../../parts/use-action.ts';
import { words } from '../../words/index.ts';
import { peopleWords } from '../../words/people.ts';
import { AccountDeletion } from './account-deletion.tsx';
import { Appearance } from './appearance.tsx';
import { PasswordSection } from './password-section.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { SettingsFrame } from './settings-frame.tsx';

/** What a person sets up for themselves. */
export default function AccountView() {
  const { data, error, refetch } = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => getSession({}, signal),
  });
  const person = data?.data;
  return (
    <SettingsFrame view="account">
      {error && <Failure error={error} retry={refetch} />}
      {person === undefined && !error && <p class="unseen">{words.loading}</p>}
      {person && (
        <div class="sections narrow">
          <PersonSection person={person} />
          <Appearance />
          <PasswordSection email={person.email} />
          <SecondFactor person={person} />
          <Sessions />
          <AccountDeletion person={person} />
        </div>
      )}
    </SettingsFrame>
  );
}

function PersonSection({ person }: { person: Person }) {
  const texts = peopleWords.account;
  return (
    <Section title={texts.person}>
      <dl class="facts">
        <dt>{texts.name}</dt>
        <dd>{person.name}</dd>
        <dt>{texts.email}</dt>
        <dd>
          {person.email} {person.emailConfirmed && <small class="soft">{texts.confirmed}</small>}
        </dd>
        <dt>{texts.since}</dt>
        <dd>{time(person.createdAt, 'long-day', zoneHere())}</dd>
      </dl>
      {!person.emailConfirmed && <Confirmation />}
    </Section>
  );
}

/** Whoever hasn't confirmed the address can change nothing: says so, and sends another link. */
function Confirmation() {
  const texts = peopleWords.account;
  const [isSent, setSent] = useState(false);
  const { run, error, isPending } = useAction(() => requestEmailConfirmation({}), {
    onDone: () => setSent(true),
  });
  return (
    <div class="form">
      <p>{texts.unconfirmed}</p>
      {error && <Failure error={error} />}
      <p class="buttons">
        <button type="button" class="button main" disabled={isPending || isSent} onClick={() => run()}>
          {texts.confirmAgain}
        </button>
        <span role="status">{isSent && texts.confirmSent}</span>
      </p>
    </div>
  );
}
