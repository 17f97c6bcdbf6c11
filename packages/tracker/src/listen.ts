/** Listens to events of the window; types are separated by commas. `early`: before the page can stop them. */
export const listen = <T extends Event>(types: string, hear: (event: T) => unknown, early?: true): unknown =>
  types.split(',').map((type) => addEventListener(type, hear as (event: Event) => unknown, early));
