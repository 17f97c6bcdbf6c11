import { useMemo } from 'preact/hooks';
import type { EnvironmentIds } from '../../state/telemetry-query.ts';
import { EnvironmentFrame } from '../environment/environment-frame.tsx';
import { sourceOfEnvironment } from './alert-source.ts';
import { Alerts } from './alerts.tsx';

/** The alerts of an environment. */
export default function EnvironmentAlertsView({ environment }: { environment: EnvironmentIds }) {
  const { projectId, environmentId } = environment;
  const source = useMemo(() => sourceOfEnvironment({ projectId, environmentId }), [projectId, environmentId]);
  return (
    <EnvironmentFrame environment={environment} view="alerts">
      <Alerts source={source} />
    </EnvironmentFrame>
  );
}
