import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import { sayOnce } from './say.ts';
import type { Settings } from './settings.ts';

/** Who sends: the service, its version if npm runs it, the runtime, and `OTEL_RESOURCE_ATTRIBUTES`. Nothing of the host. */
export function makeResource({ serviceName }: Settings, env: NodeJS.ProcessEnv): Resource {
  const version = env.npm_package_version;
  return defaultResource().merge(
    resourceFromAttributes({
      'process.runtime.name': 'nodejs',
      'process.runtime.version': process.versions.node,
      ...(version !== undefined && { [ATTR_SERVICE_VERSION]: version }),
      ...readResourceAttributes(env.OTEL_RESOURCE_ATTRIBUTES),
      [ATTR_SERVICE_NAME]: serviceName,
    }),
  );
}

/**
 * `key=value,key=value`, with `%2C` and the like within. As OpenTelemetry says, one error discards all of it. The detector of
 * `@opentelemetry/resources` would bring the detectors of hosts along.
 */
function readResourceAttributes(text = ''): Record<string, string> {
  try {
    return Object.fromEntries(
      text
        .split(',')
        .filter((pair) => pair.trim() !== '')
        .map(readPair),
    );
  } catch {
    sayOnce(
      'OTEL_RESOURCE_ATTRIBUTES is ignored: it must look like deployment.environment.name=production,team=shop, with %2C for a comma and %3D for an equals sign.',
    );
    return {};
  }
}

function readPair(pair: string): [key: string, value: string] {
  const [key = '', value, ...more] = pair.split('=').map((part) => decodeURIComponent(part.trim()));
  if (key === '' || value === undefined || more.length > 0) throw new Error('no pair');
  return [key, value];
}
