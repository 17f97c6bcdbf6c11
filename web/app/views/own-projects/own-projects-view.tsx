import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import {
  createProject,
  deleteProject,
  listMembers,
  type Project,
  removeMember,
  renameProject,
} from '../../api/operations.generated.ts';
import { exact, time, zoneHere } from '../../format.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/section.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useProjects } from '../../state/use-may-change.ts';
import { usePerson } from '../../state/use-person.ts';
import { words } from '../../words/index.ts';
import { peopleWords } from '../../words/people.ts';
import { SettingsFrame } from '../account/settings-frame.tsx';
import { Environments } from './environments.tsx';

const MAX_NAME_LENGTH = 100;

/** The person's projects: what is in them, and their beginning and end. */
export default function OwnProjectsView() {
  const texts = peopleWords.projects;
  const [isNew, setNew] = useState(false);
  const { data, error, refetch } = useProjects();
  return (
    <SettingsFrame view="projects">
      <div class="sections narrow">
        <p class="soft">{texts.text}</p>
        {error && <Failure error={error} retry={refetch} />}
        {data?.data.length === 0 && <p>{texts.none}</p>}
        {data?.data.map((project) => (
          <ProjectSection key={project.id} project={project} />
        ))}
        <p class="buttons">
          <button type="button" class="button main" onClick={() => setNew(true)}>
            <Icon name="plus" />
            {texts.new}
          </button>
        </p>
      </div>
      {isNew && (
        <NameDialog
          title={texts.new}
          submit={texts.submit}
          act={(name) => createProject({ name })}
          onClose={() => setNew(false)}
        />
      )}
    </SettingsFrame>
  );
}

type Open = 'rename' | 'leave' | 'delete';

function ProjectSection({ project }: { project: Project }) {
  const texts = peopleWords.projects;
  const [open, setOpen] = useState<Open | undefined>();
  const person = usePerson();
  const members = useQuery({
    queryKey: ['members', project.id],
    queryFn: ({ signal }) => listMembers({ projectId: project.id }, signal),
  });
  const all = members.data?.data ?? [];
  const mayChange = project.role !== 'viewer';
  const isOnlyOwner = project.role === 'owner' && all.filter(({ role }) => role === 'owner').length < 2;
  const close = () => setOpen(undefined);
  const count = all.length === 0 ? undefined : texts.members(all.length, exact(all.length));
  return (
    <Section title={project.name}>
      <p class="soft">
        {[
          peopleWords.roles[project.role],
          ...(count === undefined ? [] : [count]),
          texts.since(time(project.createdAt, 'long-day', zoneHere())),
        ].join(' · ')}
      </p>
      <p class="buttons">
        <Link class="button" href={`/settings/members?project=${project.id}`}>
          {texts.toMembers}
          <span class="unseen"> {project.name}</span>
        </Link>
        <Link class="button" href={`/projects/${project.id}/channels`}>
          {texts.toChannels}
          <span class="unseen"> {project.name}</span>
        </Link>
        {mayChange && (
          <Link class="button" href={`/settings/audit?project=${project.id}`}>
            {texts.toAudit}
            <span class="unseen"> {project.name}</span>
          </Link>
        )}
        {mayChange && (
          <button type="button" class="button" onClick={() => setOpen('rename')}>
            {texts.rename}
            <span class="unseen"> {project.name}</span>
          </button>
        )}
        {!isOnlyOwner && (
          <button type="button" class="button" onClick={() => setOpen('leave')}>
            {texts.leave}
            <span class="unseen"> {project.name}</span>
          </button>
        )}
        {project.role === 'owner' && (
          <button type="button" class="button danger apart" onClick={() => setOpen('delete')}>
            {texts.delete}
            <span class="unseen"> {project.name}</span>
          </button>
        )}
      </p>
      <Environments projectId={project.id} mayChange={mayChange} />
      {open === 'rename' && (
        <NameDialog
          title={texts.renameTitle(project.name)}
          submit={words.save}
          name={project.name}
          act={(name) => renameProject({ projectId: project.id, name })}
          onClose={close}
        />
      )}
      {open === 'leave' && person && (
        <ConfirmDialog
          title={texts.leaveTitle(project.name)}
          submit={texts.leave}
          act={() => removeMember({ projectId: project.id, userId: person.id })}
          changes={[['projects'], ['sites']]}
          onClose={close}
        >
          <p>{texts.leaveText}</p>
        </ConfirmDialog>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={texts.deleteTitle(project.name)}
          submit={texts.delete}
          typed={project.name}
          act={() => deleteProject({ projectId: project.id })}
          changes={[['projects'], ['sites']]}
          onClose={close}
        >
          <p>{texts.deleteText}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

interface NameDialogProps {
  title: string;
  submit: string;
  name?: string;
  act: (name: string) => Promise<unknown>;
  onClose: () => void;
}

function NameDialog({ title, submit, name: before = '', act, onClose }: NameDialogProps) {
  const [name, setName] = useState(before);
  const { run, ...state } = useAction(() => act(name), { changes: [['projects']], onDone: onClose });
  return (
    <FormDialog title={title} submit={submit} onSubmit={() => run()} onClose={onClose} {...state}>
      <Field label={peopleWords.projects.name}>
        <input
          class="input"
          name="name"
          required
          maxLength={MAX_NAME_LENGTH}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
    </FormDialog>
  );
}
