import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import {
  deleteAccount,
  deleteProject,
  getAccountDeletion,
  type Person,
} from '../../api/operations.generated.ts';
import { exact } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Section } from '../../parts/section.tsx';
import { useAction } from '../../parts/use-action.ts';
import { words } from '../../words/index.ts';
import { peopleWords } from '../../words/people.ts';
import { PasswordField } from './second-factor.tsx';

/** The end of the account: what is in the way, project by project, and then the end. */
export function AccountDeletion({ person }: { person: Person }) {
  const texts = peopleWords.deletion;
  const [isOpen, setOpen] = useState(false);
  const [deleted, setDeleted] = useState<{ id: string; name: string } | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['account-deletion'],
    queryFn: ({ signal }) => getAccountDeletion({}, signal),
  });
  const blocking = data?.data.projects ?? [];
  const { members: membersOf, sites: sitesOf } = peopleWords.projects;
  return (
    <Section title={texts.title} text={texts.text}>
      <p class="soft">{texts.stays}</p>
      {error && <Failure error={error} retry={refetch} />}
      {data && (
        <p role="status">
          {blocking.length === 0 ? texts.free : texts.blocked(blocking.length, exact(blocking.length))}
        </p>
      )}
      {blocking.length > 0 && (
        <ul class="entries">
          {blocking.map(({ id, name, members, sites }) => (
            <li key={id}>
              <div>
                <strong>{name}</strong>
                <p class="soft small">
                  {texts.holds(membersOf(members, exact(members)), sitesOf(sites, exact(sites)))}
                </p>
              </div>
              <span class="buttons">
                {members > 1 && (
                  <Link class="button" href={`/settings/members?project=${id}`}>
                    {texts.handOver}
                  </Link>
                )}
                <button type="button" class="button danger" onClick={() => setDeleted({ id, name })}>
                  {texts.deleteProject}
                  <span class="unseen"> {name}</span>
                </button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p class="buttons">
        <button
          type="button"
          class="button danger"
          disabled={data === undefined || blocking.length > 0}
          onClick={() => setOpen(true)}
        >
          {texts.button}
        </button>
      </p>
      {deleted && (
        <ConfirmDialog
          title={peopleWords.projects.deleteTitle(deleted.name)}
          submit={peopleWords.projects.delete}
          typed={deleted.name}
          act={() => deleteProject({ projectId: deleted.id })}
          changes={[['account-deletion'], ['projects'], ['sites']]}
          onClose={() => setDeleted(undefined)}
        >
          <p>{peopleWords.projects.deleteText}</p>
        </ConfirmDialog>
      )}
      {isOpen && <EndDialog email={person.email} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function EndDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const texts = peopleWords.deletion;
  const [password, setPassword] = useState('');
  const [typed, setTyped] = useState('');
  const { run, ...state } = useAction(() => deleteAccount({ password }), {
    onDone: () => window.location.assign('/'),
  });
  return (
    <FormDialog
      title={texts.ask}
      submit={texts.button}
      onSubmit={() => run()}
      onClose={onClose}
      isDanger
      isIncomplete={typed.trim() !== email}
      {...state}
    >
      <p>{texts.text}</p>
      <Field label={words.forms.typeToConfirm(email)}>
        <input
          class="input"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </Field>
      <PasswordField label={texts.password} value={password} onInput={setPassword} />
    </FormDialog>
  );
}
