/** Splits a route's input into the parts of a request: path parameters, query parameters, and a body. */
import * as v from 'valibot';
import { isReadByQuery, parameterNames, type RouteContract } from '../../lib/http/contract.ts';
import { entriesOf, PREFIXES } from '../../lib/http/url-input.ts';
import type { Schema } from './schema.ts';

type Schemas = Record<string, Schema>;

const entriesIn = ({ input }: RouteContract): Schemas => (input?.entries ?? {}) as Schemas;

/** A parameter for each name in the path. Throws for one that neither the route's `params` nor its input describe. */
export const pathInputs = (route: RouteContract): Schemas => {
  const known: Schemas = { ...route.params, ...entriesIn(route) };
  return Object.fromEntries(
    parameterNames(route.path).map((name) => {
      const schema = known[name];
      if (schema === undefined) throw new Error(`${route.path}: no schema says what ${name} is`);
      return [name, schema];
    }),
  );
};

const withoutPath = (route: RouteContract): [string, Schema][] => {
  const inPath = parameterNames(route.path);
  return Object.entries(entriesIn(route)).filter(([name]) => !inPath.includes(name));
};

/** Query parameters by their names in a URL. The names in a record are free, so a record has no parameters to list. */
export const queryInputs = (route: RouteContract): Schemas =>
  isReadByQuery(route.method)
    ? Object.fromEntries(
        withoutPath(route).flatMap(([name, schema]): [string, Schema][] => {
          const prefix = PREFIXES[name];
          if (prefix === undefined) return [[name, schema]];
          return Object.entries(entriesOf(schema) ?? {}).map(([key, field]) => [
            `${prefix}${key}`,
            field as Schema,
          ]);
        }),
      )
    : {};

/** The body: the fields of the input that aren't in the path, or the raw body that the handler reads itself. */
export function bodyInput(route: RouteContract): Schema | undefined {
  if (route.body !== undefined) return route.body.schema;
  if (isReadByQuery(route.method)) return undefined;
  const fields = withoutPath(route);
  return fields.length === 0 ? undefined : v.strictObject(Object.fromEntries(fields));
}
