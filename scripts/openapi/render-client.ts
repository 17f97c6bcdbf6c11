/** Writes the dashboard's typed client from an OpenAPI document: a function for each operation that answers JSON. */

type Json = Readonly<Record<string, unknown>>;
interface Document {
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Record<string, Json>>;
}
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Json;
}

const HEADER = `// Made by \`node scripts/openapi.ts\` from the functions' contracts.
import { operation } from './operation.ts';
`;

/** The module's text. Operations stand in the document's order; each is dropped from a bundle that doesn't use it. */
export function renderClient(source: object): string {
  const document = source as Document;
  const types = Object.entries(document.components.schemas ?? {}).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};`,
  );
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      renderOperation(document, { path, method, operation }),
    ),
  );
  return [HEADER, ...types, '', ...operations, ''].join('\n');
}

function renderOperation(
  document: Document,
  { path, method, operation }: { path: string; method: string; operation: Json },
): string[] {
  const output = answerOf(document, operation);
  if (output === undefined) return [];
  const parameters = ((operation.parameters ?? []) as Json[])
    .map((parameter) => resolve(document, parameter) as unknown as Parameter)
    .filter((parameter) => parameter.in !== 'header');
  const fields = parameters.map(
    ({ name, required, schema }) => `${quoted(name)}${required === true ? '' : '?'}: ${typeOf(schema)}`,
  );
  const body = resolve(document, (operation.requestBody ?? {}) as Json);
  const bodySchema = jsonSchemaOf(body);
  const input = [fields.length > 0 || bodySchema === undefined ? `{ ${fields.join('; ')} }` : '']
    .concat(bodySchema === undefined ? [] : typeOf(bodySchema))
    .filter((part) => part !== '')
    .join(' & ');
  return [
    `export const ${operation.operationId} = /* @__PURE__ */ operation<${input}, ${output}>('${method.toUpperCase()}', '${path}');`,
  ];
}

/** The type of the first answer of success, `void` if it has no body; undefined if the operation doesn't answer JSON. */
function answerOf(document: Document, operation: Json): string | undefined {
  const answers = Object.entries((operation.responses ?? {}) as Record<string, Json>).filter(([status]) =>
    status.startsWith('2'),
  );
  const bodies = answers.map(([, answer]) => resolve(document, answer));
  const schemas = bodies.map(jsonSchemaOf).filter((schema) => schema !== undefined);
  if (schemas.length > 0) return [...new Set(schemas.map(typeOf))].join(' | ');
  return bodies.length > 0 && bodies.every(({ content }) => content === undefined) ? 'void' : undefined;
}

function jsonSchemaOf({ content }: Json): Json | undefined {
  const types = content as Record<string, { schema?: Json }> | undefined;
  return types?.['application/json']?.schema;
}

function resolve(document: Document, value: Json): Json {
  if (typeof value.$ref !== 'string') return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const found = document.components[kind]?.[name];
  if (found === undefined) throw new Error(`${value.$ref} isn't in the document.`);
  return found;
}

/** A JSON Schema as a type. Schemas of shared answers and named ones are referred to by name. */
function typeOf(schema: Json): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  for (const key of ['anyOf', 'oneOf'] as const) {
    const options = schema[key] as Json[] | undefined;
    if (options !== undefined) return `(${[...new Set(options.map(typeOf))].join(' | ')})`;
  }
  const parts = schema.allOf as Json[] | undefined;
  if (parts !== undefined) return `(${parts.map(typeOf).join(' & ')})`;
  if (Array.isArray(schema.type))
    return `(${schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')})`;
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return arrayOf(schema);
    case 'object':
      return objectOf(schema);
    default:
      return 'unknown';
  }
}

function arrayOf({ items, prefixItems }: Json): string {
  if (Array.isArray(prefixItems)) return `[${(prefixItems as Json[]).map(typeOf).join(', ')}]`;
  return `(${typeOf((items ?? {}) as Json)})[]`;
}

function objectOf({ properties, required, additionalProperties }: Json): string {
  const names = (required ?? []) as string[];
  const fields = Object.entries((properties ?? {}) as Record<string, Json>).map(
    ([name, field]) => `${quoted(name)}${names.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  );
  const hasMore = typeof additionalProperties === 'object' && additionalProperties !== null;
  if (hasMore && fields.length === 0) return `Record<string, ${typeOf(additionalProperties as Json)}>`;
  return fields.length === 0 ? 'Record<string, unknown>' : `{ ${fields.join('; ')} }`;
}

const quoted = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
