import type { ComponentChildren } from 'preact';
import { ViewLinks, type ViewLinksProps } from './view-links.tsx';

interface ViewBarProps<View extends string> extends ViewLinksProps<View> {
  /** Period, filters: what all that is below has in common. */
  controls?: ComponentChildren;
}

/** The ways to the other views, and right of them what this one can be asked. */
export const ViewBar = <View extends string>({ controls, ...links }: ViewBarProps<View>) => (
  <div class="view-bar">
    {links.views.length > 0 && <ViewLinks {...links} />}
    {controls && <div class="controls">{controls}</div>}
  </div>
);
