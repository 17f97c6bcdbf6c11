import type { ComponentChildren } from 'preact';
import { useLocation, useSearch } from 'wouter-preact';
import type { Project } from '../../api/operations.generated.ts';
import { Failure } from '../../parts/failure.tsx';
import { useProjects } from '../../state/use-may-change.ts';
import { words } from '../../words/index.ts';
import { peopleWords } from '../../words/people.ts';
import { NotFoundView } from '../not-found/not-found-view.tsx';

/** Which project a view is about: `?project=` of the address, else the person's first one. */
export function ProjectChoice({ children }: { children: (project: Project) => ComponentChildren }) {
  const [path, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch()).get('project');
  const { data, error, refetch } = useProjects();
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="unseen">{words.loading}</p>;
  const projects = data.data;
  const project = asked === null ? projects[0] : projects.find(({ id }) => id === asked);
  if (asked !== null && project === undefined) return <NotFoundView heading="h2" />;
  if (project === undefined) return <p>{peopleWords.projects.none}</p>;
  return (
    <>
      <label class="field choice">
        <span>{peopleWords.members.project}</span>
        <select
          class="input"
          name="project"
          value={project.id}
          onChange={({ currentTarget }) => navigate(`${path}?project=${currentTarget.value}`)}
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {children(project)}
    </>
  );
}
