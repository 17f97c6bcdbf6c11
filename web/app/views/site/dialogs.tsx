import type { ComponentProps } from 'preact';
import { Suspense } from 'preact/compat';
import { lazyView } from '../../lazy-view.tsx';

const LazyDatesDialog = lazyView(() => import('./dates-dialog.tsx'));
const LazyDetailsDialog = lazyView(() => import('./details-dialog.tsx'));
const LazyExportDialog = lazyView(() => import('./export-dialog.tsx'));
const LazyRequestsPanel = lazyView(() => import('./requests-panel.tsx'), 'backend');
const LazyFilterDialog = lazyView(() => import('./filter-dialog.tsx'));
const LazySegmentDialog = lazyView(() => import('./segment-dialog.tsx'));

/** Parts of a site's page that are loaded when they are opened. */
export const DatesDialog = (props: ComponentProps<typeof LazyDatesDialog>) => (
  <Suspense fallback={null}>
    <LazyDatesDialog {...props} />
  </Suspense>
);
export const DetailsDialog = (props: ComponentProps<typeof LazyDetailsDialog>) => (
  <Suspense fallback={null}>
    <LazyDetailsDialog {...props} />
  </Suspense>
);
export const ExportDialog = (props: ComponentProps<typeof LazyExportDialog>) => (
  <Suspense fallback={null}>
    <LazyExportDialog {...props} />
  </Suspense>
);
export const FilterDialog = (props: ComponentProps<typeof LazyFilterDialog>) => (
  <Suspense fallback={null}>
    <LazyFilterDialog {...props} />
  </Suspense>
);
export const RequestsPanel = (props: ComponentProps<typeof LazyRequestsPanel>) => (
  <Suspense fallback={null}>
    <LazyRequestsPanel {...props} />
  </Suspense>
);
export const SegmentDialog = (props: ComponentProps<typeof LazySegmentDialog>) => (
  <Suspense fallback={null}>
    <LazySegmentDialog {...props} />
  </Suspense>
);
