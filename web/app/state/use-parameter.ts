import { useLocation, useSearch } from 'wouter-preact';
import type { OwnParameter } from './use-site-query.ts';

/** A parameter of the address that one view or panel has, and a function that changes it and nothing else. */
export function useParameter(
  name: OwnParameter,
  options?: { replace: boolean },
): [string | undefined, (value: string | undefined) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const change = (value: string | undefined): void => {
    const query = new URLSearchParams(search);
    if (value === undefined) query.delete(name);
    else query.set(name, value);
    const text = query.toString();
    navigate(text === '' ? path : `${path}?${text}`, options);
  };
  return [new URLSearchParams(search).get(name) ?? undefined, change];
}

/** Which of a panel's tabs is shown, by its address; the first one if that names none. Choosing one is no step of the browser's history. */
export function useTab<Name extends string>(
  panel: OwnParameter,
  names: readonly Name[],
): [Name | undefined, (index: number) => void] {
  const [chosen, change] = useParameter(panel, { replace: true });
  return [
    names.find((name) => name === chosen) ?? names[0],
    (index) => change(index === 0 ? undefined : names[index]),
  ];
}
