import { newScope, Origins, Source } from '../origin-rows.ts';
import type { Tally } from '../request-tally.ts';
import type { RequestNames, ResourceRow, ScopeRow } from '../rows.ts';
import { eachOf, type Fields, memberOf } from './json-fields.ts';
import { attributesOf, droppedAttributesOf, nameOf } from './json-values.ts';

/** Walks an export request down to its spans, log records or metrics, and calls `readItem` for each. */
export function readOrigins(
  request: Fields,
  names: RequestNames,
  tally: Tally,
  readItem: (item: Fields, source: Source) => void,
): Origins {
  const origins = new Origins(tally);
  eachOf(request, names.resources, (ofResource) => {
    const source = new Source(origins, readResourceRow(ofResource, tally));
    eachOf(ofResource, names.scopes, (ofScope) => {
      source.enter(readScopeRow(ofScope, tally));
      eachOf(ofScope, names.items, (item) => readItem(item, source));
    });
  });
  return origins;
}

function readResourceRow(contents: Fields, tally: Tally): ResourceRow {
  const schemaUrl = nameOf(contents, 'schemaUrl', tally);
  return memberOf(contents, 'resource', (resource) => ({
    attributes: attributesOf(resource, tally),
    schemaUrl,
    droppedAttributes: droppedAttributesOf(resource),
  }));
}

function readScopeRow(contents: Fields, tally: Tally): ScopeRow {
  const schemaUrl = nameOf(contents, 'schemaUrl', tally);
  return memberOf(contents, 'scope', (scope) => ({
    ...newScope(),
    name: nameOf(scope, 'name', tally),
    version: nameOf(scope, 'version', tally),
    attributes: attributesOf(scope, tally),
    schemaUrl,
    droppedAttributes: droppedAttributesOf(scope),
  }));
}
