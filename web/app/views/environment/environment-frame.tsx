import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ENVIRONMENT_VIEWS } from '../../../../lib/dashboard-views.ts';
import { listEnvironments, listProjects, type Project } from '../../api/operations.generated.ts';
import { Failure } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { ViewBar } from '../../parts/view-bar.tsx';
import { type EnvironmentIds, keptRange, useFields, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { NotFoundView } from '../not-found/not-found-view.tsx';

export type EnvironmentViewName = (typeof ENVIRONMENT_VIEWS)[number];

interface EnvironmentFrameProps {
  environment: EnvironmentIds;
  view: EnvironmentViewName;
  /** What stands right of the name, if the view has it: the period. */
  controls?: ComponentChildren;
  children: ComponentChildren | ((role: Project['role']) => ComponentChildren);
}

/** What all views of an environment have: its name, and the way to the other views. */
export function EnvironmentFrame({ environment: ids, view, controls, children }: EnvironmentFrameProps) {
  const { projectId, environmentId } = ids;
  const { fields } = useFields();
  const projects = useQuery({
    queryKey: ['projects'],
    queryFn: ({ signal }) => listProjects({}, signal),
  });
  const environments = useQuery({
    queryKey: ['environments', projectId],
    queryFn: ({ signal }) => listEnvironments({ projectId }, signal),
  });
  const project = projects.data?.data.find(({ id }) => id === projectId);
  const environment = environments.data?.data.find(({ id }) => id === environmentId);
  useEffect(() => {
    if (environment !== undefined)
      document.title = `${environment.name}: ${backendWords.views[view]} · ${words.product}`;
  }, [environment, view]);
  const failed = [projects, environments].find(({ error }) => error !== null);
  if (failed) return <Failure error={failed.error} retry={failed.refetch} />;
  if (projects.data === undefined || environments.data === undefined)
    return <p class="unseen">{words.loading}</p>;
  if (project === undefined || environment === undefined) return <NotFoundView />;
  return (
    <>
      <PageHead>
        <div class="page-title">
          <h1 title={`${project.name}/${environment.name}`}>{environment.name}</h1>
          <Link class="soft" href="/projects">
            {project.name}
          </Link>
        </div>
        <ViewBar
          label={backendWords.views.label}
          views={ENVIRONMENT_VIEWS}
          current={view}
          hrefOf={(one) => viewHref(ids, one, keptRange(fields))}
          nameOf={(one) => backendWords.views[one]}
          controls={controls}
        />
      </PageHead>
      {typeof children === 'function' ? children(project.role) : children}
    </>
  );
}
