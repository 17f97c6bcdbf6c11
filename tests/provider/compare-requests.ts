import type { Operation } from '../../scripts/provider-operations/read-operations.ts';
import published from './operations.generated.json' with { type: 'json' };
import type { RecordedRequest } from './start-provider.ts';

const OPERATIONS: readonly Operation[] = published.operations;

/** The path with `{}` instead of ids and names of ours: `/accounts/{}/queues/{}`. */
export const templateOf = (path: string): string =>
  path
    .replace(/^\/(accounts|zones)\/[^/]+/, '/$1/{}')
    .replaceAll(
      /\/(queues|consumers|scripts|workers|services|versions|dns_records)\/(?!scripts|subdomain|assets|workers|services)[^/]+/g,
      '/$1/{}',
    );

/** What the provider's published operations don't know of these requests, each once. */
export function differences(requests: readonly RecordedRequest[]): string[] {
  const found = requests.flatMap(({ method, path, fields, failed }): string[] => {
    // A request that was failed on purpose may not have been read.
    if (failed) return [];
    const title = `${method} ${templateOf(path)}`;
    const operation = OPERATIONS.find((one) => `${one.method} ${one.path}` === title);
    if (operation === undefined) return [`${title} is not published`];
    const { required, fields: known } = operation;
    if (required === undefined || known === undefined) return [];
    return [
      ...required.filter((name) => !fields.includes(name)).map((name) => `${title} lacks ${name}`),
      ...fields.filter((name) => !known.includes(name)).map((name) => `${title}: ${name} is not published`),
    ];
  });
  return [...new Set(found)].toSorted();
}
