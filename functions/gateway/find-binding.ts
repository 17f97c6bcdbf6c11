import { routes } from './routes.generated.ts';

type Binding = (typeof routes)[number]['binding'];

/** The service binding for a path: that of the first matching route. Routes are sorted, most specific first. */
export function findBinding(pathname: string): Binding {
  const route = routes.find(({ path, wildcard }) =>
    wildcard ? pathname.startsWith(path) : pathname === path,
  );
  if (route === undefined) throw new Error('the routes have no catch-all');
  return route.binding;
}
