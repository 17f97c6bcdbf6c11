import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import type { Settings } from './settings.ts';

/** Who sends: the service, its version if npm runs it, the runtime, and `OTEL_RESOURCE_ATTRIBUTES`. Nothing of the host. */
export function makeResource({ serviceName }: Settings, env: NodeJS.ProcessEnv): Resource {
  const version = env.npm_package_version;
  return defaultResource()
    .merge(
      resourceFromAttributes({
        'process.runtime.name': 'nodejs',
        'process.runtime.version': process.versions.node,
        ...(version !== undefined && { [ATTR_SERVICE_VERSION]: version }),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: serviceName }));
}
