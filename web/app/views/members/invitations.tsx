import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import {
  type Invitation,
  inviteMember,
  listInvitations,
  type Project,
  revokeInvitation,
} from '../../api/operations.generated.ts';
import { time, zoneHere } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field, RadioChoices } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/section.tsx';
import { useAction } from '../../parts/use-action.ts';
import { peopleWords } from '../../words/people.ts';

const MAX_EMAIL_LENGTH = 254;

/** An invitation that was made just now: its link is nowhere again. */
interface Made {
  url: string;
  email: string;
}

type Open = 'new' | { revoked: Invitation } | { renewed: Invitation };

/** Invitations that nobody has used yet, and new ones. For owners and admins. */
export function Invitations({ project }: { project: Project }) {
  const texts = peopleWords.members;
  const { id: projectId } = project;
  const [open, setOpen] = useState<Open | undefined>();
  const [made, setMade] = useState<Made | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['invitations', projectId],
    queryFn: ({ signal }) => listInvitations({ projectId }, signal),
  });
  const changes = [['invitations', projectId]] as const;
  const close = () => setOpen(undefined);
  const renew = async ({ id, role }: Invitation): Promise<void> => {
    const { data: created } = await inviteMember({ projectId, role });
    await revokeInvitation({ projectId, invitationId: id });
    setMade({ url: created.url, email: '' });
  };
  return (
    <Section title={texts.open}>
      {error && <Failure error={error} retry={refetch} />}
      {made && (
        <div class="preview made" role="status">
          <h3>{texts.invited}</h3>
          <p>{made.email === '' ? texts.passOn : texts.mailed(made.email)}</p>
          <CopyText text={made.url} label={texts.link} />
        </div>
      )}
      {data?.data.length === 0 && <p>{texts.none}</p>}
      {data && data.data.length > 0 && (
        <ul class="entries">
          {data.data.map((invitation) => (
            <InvitationEntry key={invitation.id} {...{ project, invitation, open: setOpen }} />
          ))}
        </ul>
      )}
      <p class="buttons">
        <button type="button" class="button" onClick={() => setOpen('new')}>
          <Icon name="plus" />
          {texts.invite}
        </button>
      </p>
      {open === 'new' && (
        <InviteDialog
          project={project}
          onClose={close}
          onDone={(invited) => {
            setMade(invited);
            close();
          }}
        />
      )}
      {typeof open === 'object' && 'revoked' in open && (
        <ConfirmDialog
          title={texts.revokeTitle}
          submit={texts.revoke}
          act={() => revokeInvitation({ projectId, invitationId: open.revoked.id })}
          changes={changes}
          onClose={close}
        >
          <p>{texts.revokeText}</p>
        </ConfirmDialog>
      )}
      {typeof open === 'object' && 'renewed' in open && (
        <ConfirmDialog
          title={texts.anotherTitle}
          submit={texts.another}
          act={() => renew(open.renewed)}
          changes={changes}
          onClose={close}
        >
          <p>{texts.anotherText}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

interface InvitationEntryProps {
  project: Project;
  invitation: Invitation;
  open: (open: Open) => void;
}

function InvitationEntry({ project, invitation, open }: InvitationEntryProps) {
  const texts = peopleWords.members;
  const role = peopleWords.roles[invitation.role];
  const zone = zoneHere();
  return (
    <li>
      <div>
        <strong>{role}</strong>
        <p class="soft small">
          {texts.made(time(invitation.createdAt, 'long-hour', zone))},{' '}
          {texts.until(time(invitation.expiresAt, 'long-hour', zone))}
        </p>
      </div>
      <span class="buttons">
        {(project.role === 'owner' || invitation.role !== 'owner') && (
          <button type="button" class="button" onClick={() => open({ renewed: invitation })}>
            {texts.another}
            <span class="unseen"> {role}</span>
          </button>
        )}
        <button type="button" class="button" onClick={() => open({ revoked: invitation })}>
          {texts.revoke}
          <span class="unseen"> {role}</span>
        </button>
      </span>
    </li>
  );
}

interface InviteDialogProps {
  project: Project;
  onDone: (made: Made) => void;
  onClose: () => void;
}

function InviteDialog({ project, onDone, onClose }: InviteDialogProps) {
  const texts = peopleWords.members;
  const [role, setRole] = useState<Invitation['role']>('viewer');
  const [email, setEmail] = useState('');
  const roles = (['viewer', 'admin', 'owner'] as const).filter(
    (one) => one !== 'owner' || project.role === 'owner',
  );
  const address = email.trim();
  const { run, ...state } = useAction(
    () => inviteMember({ projectId: project.id, role, ...(address !== '' && { email: address }) }),
    {
      changes: [['invitations', project.id]],
      onDone: ({ data }) => onDone({ url: data.url, email: address }),
    },
  );
  return (
    <FormDialog
      title={texts.invite}
      submit={texts.submit}
      onSubmit={() => run()}
      onClose={onClose}
      {...state}
    >
      <p>{texts.inviteText}</p>
      <RadioChoices
        label={texts.role}
        name="role"
        value={role}
        choices={roles.map((value) => ({
          value,
          label: peopleWords.roles[value],
          note: peopleWords.roles.notes[value],
        }))}
        onChoose={setRole}
      />
      <Field label={texts.email} note={texts.emailNote}>
        <input
          class="input"
          type="email"
          name="email"
          autocomplete="off"
          maxLength={MAX_EMAIL_LENGTH}
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      </Field>
    </FormDialog>
  );
}
