import { useQuery } from '@tanstack/preact-query';
import { listSites } from '../../api/operations.generated.ts';
import { Field } from '../../parts/field.tsx';
import { useProjects } from '../../state/use-may-change.ts';
import { peopleWords } from '../../words/people.ts';

/** What a key opens at most. Undefined: everything of that kind, later ones too. */
export interface Opens {
  projectIds: readonly string[] | undefined;
  siteIds: readonly string[] | undefined;
  /** `2026-12-31`; empty: no end. */
  lastDay: string;
}

export const OPENS_ALL: Opens = { projectIds: undefined, siteIds: undefined, lastDay: '' };

/** Whether a choice is left open: "only these" with none of them. */
export const isIncomplete = ({ projectIds, siteIds }: Opens): boolean =>
  projectIds?.length === 0 || siteIds?.length === 0;

/** The same as the API takes it. The last day ends where the person is. */
export const requestOf = ({ projectIds, siteIds, lastDay }: Opens) => ({
  ...(projectIds && { projectIds: [...projectIds] }),
  ...(siteIds && { siteIds: [...siteIds] }),
  ...(lastDay !== '' && { expiresAt: new Date(`${lastDay}T23:59:59.999`).toISOString() }),
});

/** The person's sites, without figures. */
export const useSites = () =>
  useQuery({ queryKey: ['sites', 'names'], queryFn: ({ signal }) => listSites({}, signal) });

/** Fields for projects, sites and the end of a key. */
export function OpensFields({ opens, change }: { opens: Opens; change: (opens: Opens) => void }) {
  const texts = peopleWords.keys;
  const projects = useProjects().data?.data ?? [];
  const sites = (useSites().data?.data ?? []).filter(
    ({ projectId }) => opens.projectIds === undefined || opens.projectIds.includes(projectId),
  );
  const chooseProjects = (projectIds: Opens['projectIds']): void => {
    // A site of a project that isn't chosen would be refused.
    const kept =
      projectIds && sites.filter(({ projectId }) => projectIds.includes(projectId)).map(({ id }) => id);
    change({
      ...opens,
      projectIds,
      siteIds: kept && opens.siteIds?.filter((id) => kept.includes(id)),
      ...(projectIds === undefined && { siteIds: opens.siteIds }),
    });
  };
  return (
    <>
      <SomeOf
        label={texts.projects}
        name="projects"
        all={projects}
        chosen={opens.projectIds}
        choose={chooseProjects}
      />
      <SomeOf
        label={texts.sites}
        name="sites"
        all={sites}
        chosen={opens.siteIds}
        choose={(siteIds) => change({ ...opens, siteIds })}
      />
      <Field label={texts.end} note={texts.endNote}>
        <input
          class="input"
          type="date"
          name="lastDay"
          value={opens.lastDay}
          onInput={({ currentTarget }) => change({ ...opens, lastDay: currentTarget.value })}
        />
      </Field>
    </>
  );
}

interface SomeOfProps {
  label: string;
  name: string;
  all: readonly { id: string; name: string }[];
  chosen: readonly string[] | undefined;
  choose: (chosen: readonly string[] | undefined) => void;
}

/** All of them, or some that are ticked. */
function SomeOf({ label, name, all, chosen, choose }: SomeOfProps) {
  const texts = peopleWords.keys;
  const toggle = (id: string): void =>
    choose(chosen?.includes(id) ? chosen.filter((one) => one !== id) : [...(chosen ?? []), id]);
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      <label>
        <input
          type="radio"
          name={`${name}-all`}
          checked={chosen === undefined}
          onChange={() => choose(undefined)}
        />
        {texts.all}
      </label>
      <label>
        <input
          type="radio"
          name={`${name}-all`}
          checked={chosen !== undefined}
          disabled={all.length === 0}
          onChange={() => choose([])}
        />
        {texts.some}
      </label>
      {chosen && (
        <div class="checks indented">
          {all.map((one) => (
            <label key={one.id}>
              <input
                type="checkbox"
                name={name}
                value={one.id}
                checked={chosen.includes(one.id)}
                onChange={() => toggle(one.id)}
              />
              {one.name}
            </label>
          ))}
        </div>
      )}
      {chosen?.length === 0 && <small class="soft">{texts.noneChosen}</small>}
    </fieldset>
  );
}
