import type { ComponentType } from 'preact';
import { lazy } from 'preact/compat';
import { ApiError } from './api/operation.ts';
import { Failure } from './parts/failure.tsx';
import { loadGroup, type WordGroup } from './words/load-words.ts';

/** A view that is loaded when it is opened, and beside it the words that it and its parts import. */
export const lazyView = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  ...groups: readonly WordGroup[]
) =>
  lazy(async () => {
    try {
      const [view] = await Promise.all([load(), ...groups.map(loadGroup)]);
      return view;
    } catch {
      return { default: NotLoaded };
    }
  });

/** Without a connection, or after the service was updated. A page that is loaded anew has the files of now. */
const NotLoaded = () => <Failure error={NOT_LOADED} retry={() => window.location.reload()} />;
const NOT_LOADED = new ApiError('NOT_LOADED', 'The view could not be loaded.');
