/** Moves parts that several operations share to `components` and refers to them. */

type Named = Record<string, object>;

interface Operation {
  parameters: { name: string }[];
  responses: Record<string, { description: string }>;
}

const isReference = (part: object): boolean => '$ref' in part;

/** Replaces parts that occur more than once by references to `#/components/<kind>/<name>`. Returns the parts by name. */
function share<Part extends object>(
  kind: string,
  parts: readonly { part: Part; name: string; replace: (reference: object) => void }[],
): Named {
  const alike = Map.groupBy(
    parts.filter(({ part }) => !isReference(part)),
    ({ part }) => JSON.stringify(part),
  );
  const named: Named = {};
  for (const same of alike.values()) {
    const [first] = same;
    if (first === undefined || same.length === 1) continue;
    let name = first.name;
    for (let n = 2; name in named; n += 1) name = `${first.name}-${n}`;
    named[name] = first.part;
    for (const { replace } of same) replace({ $ref: `#/components/${kind}/${name}` });
  }
  return named;
}

/** Changes the operations of a document. Returns the components to which they refer. */
export function shareRepeated(operations: readonly Operation[]): { parameters: Named; responses: Named } {
  const parameters = operations.flatMap((operation) =>
    operation.parameters.map((part, index) => ({
      part,
      name: part.name,
      replace: (reference: object) => void Object.assign(operation.parameters, { [index]: reference }),
    })),
  );
  const responses = operations.flatMap((operation) =>
    Object.entries(operation.responses).map(([status, part]) => ({
      part,
      name: `${status}-${part.description.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`.replace(/-$/, ''),
      replace: (reference: object) => void Object.assign(operation.responses, { [status]: reference }),
    })),
  );
  return { parameters: share('parameters', parameters), responses: share('responses', responses) };
}
