import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import {
  changeMember,
  listMembers,
  type Member,
  type Project,
  removeMember,
} from '../../api/operations.generated.ts';
import { time, zoneHere } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { useAction } from '../../parts/use-action.ts';
import { personName, usePerson } from '../../state/use-person.ts';
import { words } from '../../words/index.ts';
import { peopleWords } from '../../words/people.ts';
import { SettingsFrame } from '../account/settings-frame.tsx';
import { Invitations } from './invitations.tsx';
import { Orphans } from './orphans.tsx';
import { ProjectChoice } from './project-choice.tsx';

/** Who sees a project, and who is invited to it. */
export default function MembersView() {
  return (
    <SettingsFrame view="members">
      <ProjectChoice>{(project) => <Members key={project.id} project={project} />}</ProjectChoice>
    </SettingsFrame>
  );
}

type Role = Member['role'];
const ROLES: readonly Role[] = ['owner', 'admin', 'viewer'];

function Members({ project }: { project: Project }) {
  const texts = peopleWords.members;
  const person = usePerson();
  const [removed, setRemoved] = useState<Member | undefined>();
  /** The caller’s own new role, or a new owner: asked first. */
  const [asked, setAsked] = useState<{ member: Member; role: Role } | undefined>();
  const [said, setSaid] = useState('');
  const [, navigate] = useLocation();
  const { data, error, refetch } = useQuery({
    queryKey: ['members', project.id],
    queryFn: ({ signal }) => listMembers({ projectId: project.id }, signal),
  });
  const members = data?.data ?? [];
  const owners = members.filter(({ role }) => role === 'owner').length;
  const change = useAction(
    ({ member, role }: { member: Member; role: Role }) =>
      changeMember({ projectId: project.id, userId: member.userId, role }).then(() => ({ member, role })),
    {
      changes: [['members', project.id]],
      onDone: ({ member, role }) => setSaid(texts.changed(personName(member), peopleWords.roles[role])),
    },
  );
  const isSelf = ({ userId }: Member): boolean => userId === person?.id;
  const close = () => setRemoved(undefined);
  return (
    <div class="sections narrow">
      <Section title={project.name} text={texts.text}>
        {error && <Failure error={error} retry={refetch} />}
        {change.error && <Failure error={change.error} />}
        <p role="status" class={said === '' ? 'unseen' : undefined}>
          {said}
        </p>
        <ul class="entries members">
          {members.map((member) => (
            <li key={member.userId}>
              <div>
                <strong>{personName(member)}</strong>{' '}
                {isSelf(member) && <span class="badge">{texts.you}</span>}
                <p class="soft small">
                  {member.name === '' ? '' : `${member.email} · `}
                  {texts.joined} {time(member.createdAt, 'long-day', zoneHere())}
                </p>
              </div>
              <span class="buttons">
                <MemberRole
                  member={member}
                  roles={rolesFor(project.role, member, owners)}
                  choose={(role) =>
                    isSelf(member) || role === 'owner'
                      ? setAsked({ member, role })
                      : change.run({ member, role })
                  }
                />
                {mayRemove(project.role, member, { isSelf: isSelf(member), owners }) && (
                  <button type="button" class="button" onClick={() => setRemoved(member)}>
                    {isSelf(member) ? peopleWords.projects.leave : texts.remove}
                    <span class="unseen"> {isSelf(member) ? project.name : personName(member)}</span>
                  </button>
                )}
              </span>
            </li>
          ))}
        </ul>
        {project.role === 'owner' && <p class="soft small">{texts.ownership}</p>}
      </Section>
      {project.role !== 'viewer' && <Invitations project={project} />}
      <Orphans project={project} />
      {removed && (
        <ConfirmDialog
          title={
            isSelf(removed)
              ? peopleWords.projects.leaveTitle(project.name)
              : texts.removeTitle(personName(removed))
          }
          submit={isSelf(removed) ? peopleWords.projects.leave : texts.remove}
          act={() => removeMember({ projectId: project.id, userId: removed.userId })}
          changes={
            isSelf(removed)
              ? [['projects'], ['sites']]
              : [
                  ['members', project.id],
                  ['invitations', project.id],
                  ['orphans', project.id],
                ]
          }
          onDone={() => {
            close();
            if (isSelf(removed)) navigate('/settings/projects');
          }}
          onClose={close}
        >
          <p>{isSelf(removed) ? peopleWords.projects.leaveText : texts.removeText}</p>
        </ConfirmDialog>
      )}
      {asked && (
        <ConfirmDialog
          title={
            isSelf(asked.member)
              ? texts.own(peopleWords.roles[asked.role])
              : texts.appoint(personName(asked.member))
          }
          submit={texts.change}
          act={() => changeMember({ projectId: project.id, userId: asked.member.userId, role: asked.role })}
          changes={[['members', project.id], ['projects']]}
          onDone={() => {
            if (!isSelf(asked.member))
              setSaid(texts.changed(personName(asked.member), peopleWords.roles[asked.role]));
            setAsked(undefined);
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{isSelf(asked.member) ? texts.ownText : peopleWords.roles.notes.owner}</p>
        </ConfirmDialog>
      )}
      {data === undefined && !error && <p class="unseen">{words.loading}</p>}
    </div>
  );
}

/** The roles that the service would let `role` give the member, with the present one. Only the present one: nothing can be changed. */
function rolesFor(role: Role, member: Member, owners: number): readonly Role[] {
  if (role === 'owner') return member.role === 'owner' && owners < 2 ? ['owner'] : ROLES;
  return role === 'admin' && member.role !== 'owner' ? ['admin', 'viewer'] : [member.role];
}

function mayRemove(
  role: Role,
  member: Member,
  { isSelf, owners }: { isSelf: boolean; owners: number },
): boolean {
  if (member.role === 'owner' && owners < 2) return false;
  return isSelf || role === 'owner' || (role === 'admin' && member.role !== 'owner');
}

interface MemberRoleProps {
  member: Member;
  roles: readonly Role[];
  choose: (role: Role) => void;
}

function MemberRole({ member, roles, choose }: MemberRoleProps) {
  const texts = peopleWords.roles;
  if (roles.length < 2) return <span class="soft">{texts[member.role]}</span>;
  return (
    <select
      class="input role"
      aria-label={peopleWords.members.roleOf(personName(member))}
      value={member.role}
      onChange={({ currentTarget }) => {
        const chosen = currentTarget.value as Role;
        // It shows what holds, until the service says otherwise.
        currentTarget.value = member.role;
        choose(chosen);
      }}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {texts[role]}
        </option>
      ))}
    </select>
  );
}
