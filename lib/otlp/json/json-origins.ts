import { newScope, Origins, Source } from '../origin-rows.ts';
import type { Tally } from '../request-tally.ts';
import type { ResourceRow, ScopeRow } from '../rows.ts';
import { asObject, type Fields, listOf, objectOf, unsignedOf } from './json-fields.ts';
import { attributesOf, nameOf } from './json-values.ts';

/** The names of the members in a signal's request. */
interface Names {
  resources: string;
  scopes: string;
  items: string;
}

/** Walks an export request down to its spans, log records or metrics, and calls `readItem` for each. */
export function readOrigins(
  request: Fields,
  names: Names,
  tally: Tally,
  readItem: (item: Fields, source: Source) => void,
): Origins {
  const origins = new Origins(tally);
  for (const ofResource of listOf(request, names.resources)) {
    const contents = asObject(ofResource, names.resources);
    const source = new Source(origins, readResourceRow(contents, tally));
    for (const ofScope of listOf(contents, names.scopes)) {
      const scope = asObject(ofScope, names.scopes);
      source.enter(readScopeRow(scope, tally));
      for (const item of listOf(scope, names.items)) readItem(asObject(item, names.items), source);
    }
  }
  return origins;
}

function readResourceRow(contents: Fields, tally: Tally): ResourceRow {
  const resource = objectOf(contents, 'resource') ?? {};
  return {
    attributes: attributesOf(resource, tally),
    schemaUrl: nameOf(contents, 'schemaUrl', tally),
    droppedAttributes: unsignedOf(resource, 'droppedAttributesCount'),
  };
}

function readScopeRow(contents: Fields, tally: Tally): ScopeRow {
  const scope = objectOf(contents, 'scope') ?? {};
  return {
    ...newScope(),
    name: nameOf(scope, 'name', tally),
    version: nameOf(scope, 'version', tally),
    attributes: attributesOf(scope, tally),
    schemaUrl: nameOf(contents, 'schemaUrl', tally),
    droppedAttributes: unsignedOf(scope, 'droppedAttributesCount'),
  };
}
