import type { Tally } from './request-tally.ts';
import type { ResourceRow, ScopeRow } from './rows.ts';

const ROW_BYTES = 400;

/** The resources and scopes of a request, each different one once, and only those with at least one kept row. */
export class Origins {
  readonly resources: ResourceRow[] = [];
  readonly scopes: ScopeRow[] = [];
  readonly #tally: Tally;
  readonly #known = new Map<string, number>();

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  resource(row: ResourceRow): number {
    return this.#add(this.resources, row, 'resource');
  }

  scope(row: ScopeRow): number {
    return this.#add(this.scopes, row, 'scope');
  }

  #add<Row>(rows: Row[], row: Row, kind: string): number {
    const key = `${kind} ${JSON.stringify(row)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#tally.spend(ROW_BYTES + 2 * key.length);
    this.#known.set(key, rows.length);
    return rows.push(row) - 1;
  }
}

/** The origin of the rows that are being read. It is added to the batch with its first kept row. */
export class Source {
  #resource: ResourceRow;
  #scope: ScopeRow;
  #resourceIndex = -1;
  #scopeIndex = -1;
  readonly #origins: Origins;

  constructor(origins: Origins, resource: ResourceRow) {
    this.#origins = origins;
    this.#resource = resource;
    this.#scope = newScope();
  }

  enter(scope: ScopeRow): void {
    this.#scope = scope;
    this.#scopeIndex = -1;
  }

  get resource(): number {
    if (this.#resourceIndex < 0) this.#resourceIndex = this.#origins.resource(this.#resource);
    return this.#resourceIndex;
  }

  get scope(): number {
    if (this.#scopeIndex < 0) this.#scopeIndex = this.#origins.scope(this.#scope);
    return this.#scopeIndex;
  }
}

export const newResource = (): ResourceRow => ({ attributes: {}, schemaUrl: '', droppedAttributes: 0 });

export const newScope = (): ScopeRow => ({
  name: '',
  version: '',
  attributes: {},
  schemaUrl: '',
  droppedAttributes: 0,
});
