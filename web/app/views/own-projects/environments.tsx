import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import {
  createEnvironment,
  deleteEnvironment,
  type Environment,
  listEnvironments,
  renameEnvironment,
} from '../../api/operations.generated.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useAction } from '../../parts/use-action.ts';
import { viewHref } from '../../state/telemetry-query.ts';
import { words } from '../../words/index.ts';
import { peopleWords } from '../../words/people.ts';

const PATTERN = '[a-z0-9]([a-z0-9._\\-]{0,62}[a-z0-9])?';

type Open = { changed: Environment | undefined } | { deleted: Environment };

/** The environments of a project. Their keys, origins and retention are in the view of their connection. */
export function Environments({ projectId, mayChange }: { projectId: string; mayChange: boolean }) {
  const texts = peopleWords.projects;
  const [open, setOpen] = useState<Open | undefined>();
  const { data, error, refetch } = useQuery({
    queryKey: ['environments', projectId],
    queryFn: ({ signal }) => listEnvironments({ projectId }, signal),
  });
  const all = data?.data ?? [];
  const close = () => setOpen(undefined);
  return (
    <>
      <h3>{texts.environments}</h3>
      {error && <Failure error={error} retry={refetch} />}
      <ul class="entries" aria-label={texts.environments}>
        {all.map((environment) => (
          <li key={environment.id}>
            <Link
              href={viewHref({ projectId, environmentId: environment.id }, 'connection')}
              aria-label={texts.connection(environment.name)}
              title={texts.connection(environment.name)}
            >
              {environment.name}
            </Link>
            {mayChange && (
              <span class="buttons">
                <button
                  type="button"
                  class="button plain"
                  aria-label={words.forms.change(environment.name)}
                  onClick={() => setOpen({ changed: environment })}
                >
                  <Icon name="edit" />
                </button>
                <button
                  type="button"
                  class="button plain"
                  aria-label={words.forms.delete(environment.name)}
                  disabled={all.length < 2}
                  title={all.length < 2 ? texts.lastEnvironment : undefined}
                  onClick={() => setOpen({ deleted: environment })}
                >
                  <Icon name="delete" />
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <p class="buttons">
          <button type="button" class="button" onClick={() => setOpen({ changed: undefined })}>
            <Icon name="plus" />
            {texts.newEnvironment}
          </button>
        </p>
      )}
      {open && 'changed' in open && (
        <EnvironmentDialog projectId={projectId} changed={open.changed} onClose={close} />
      )}
      {open && 'deleted' in open && (
        <ConfirmDialog
          title={texts.deleteEnvironment(open.deleted.name)}
          submit={words.forms.deleteIt}
          typed={open.deleted.name}
          act={() => deleteEnvironment({ projectId, environmentId: open.deleted.id })}
          changes={[['environments', projectId]]}
          onClose={close}
        >
          <p>{texts.deleteEnvironmentText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface EnvironmentDialogProps {
  projectId: string;
  /** Undefined: a new one. */
  changed: Environment | undefined;
  onClose: () => void;
}

function EnvironmentDialog({ projectId, changed, onClose }: EnvironmentDialogProps) {
  const texts = peopleWords.projects;
  const [name, setName] = useState(changed?.name ?? '');
  const { run, ...state } = useAction(
    () =>
      changed === undefined
        ? createEnvironment({ projectId, name })
        : renameEnvironment({ projectId, environmentId: changed.id, name }),
    { changes: [['environments', projectId]], onDone: onClose },
  );
  return (
    <FormDialog
      title={changed === undefined ? texts.newEnvironment : texts.renameTitle(changed.name)}
      submit={changed === undefined ? texts.makeEnvironment : words.save}
      onSubmit={() => run()}
      onClose={onClose}
      {...state}
    >
      <Field label={texts.environment} note={texts.environmentNote}>
        <input
          class="input"
          name="name"
          required
          pattern={PATTERN}
          title={texts.environmentNote}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
    </FormDialog>
  );
}
