import { useLocation, useSearch } from 'wouter-preact';
import type { OwnParameter } from './use-site-query.ts';

/** A parameter of the address that one view has, and a function that changes it and nothing else. */
export function useParameter(name: OwnParameter): [string | undefined, (value: string | undefined) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const change = (value: string | undefined): void => {
    const query = new URLSearchParams(search);
    if (value === undefined) query.delete(name);
    else query.set(name, value);
    const text = query.toString();
    navigate(text === '' ? path : `${path}?${text}`);
  };
  return [new URLSearchParams(search).get(name) ?? undefined, change];
}
