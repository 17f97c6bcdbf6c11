import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { listEnvironments, listProjects, type Project } from '../../api/operations.generated.ts';
import { Failure } from '../../parts/failure.tsx';
import { viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';

/** The projects of a person, and the way to their environments. */
export default function ProjectsView() {
  const texts = backendWords.projects;
  const { data, error, refetch } = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => listProjects({}, signal),
  });
  useEffect(() => {
    document.title = `${backendWords.projects.title} · ${words.product}`;
  }, []);
  return (
    <>
      <div class="heading">
        <h1>{texts.title}</h1>
      </div>
      {error && <Failure error={error} retry={refetch} />}
      {data?.data.length === 0 && (
        <div class="empty">
          <strong>{texts.empty}</strong>
          <p>{texts.emptyText}</p>
        </div>
      )}
      <div class="site-cards">
        {data?.data.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </div>
    </>
  );
}

function ProjectCard({ project: { id, name, role } }: { project: Project }) {
  const texts = backendWords.projects;
  const { data, error, refetch } = useQuery({
    queryKey: ['environments', id],
    queryFn: ({ signal }) => listEnvironments({ projectId: id }, signal),
  });
  return (
    <article class="card project-card">
      <header>
        <h2>{name}</h2>
        <span class="soft">{texts.roles[role]}</span>
      </header>
      {error && <Failure error={error} retry={refetch} />}
      {data?.data.length === 0 && <p class="soft">{texts.noEnvironments}</p>}
      <ul aria-label={texts.environments}>
        {data?.data.map((environment) => (
          <li key={environment.id}>
            <Link
              class="button"
              href={viewHref({ projectId: id, environmentId: environment.id }, 'services')}
            >
              {environment.name}
            </Link>
          </li>
        ))}
      </ul>
    </article>
  );
}
