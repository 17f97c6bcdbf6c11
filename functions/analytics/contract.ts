import { AssociationItem } from '../../lib/analytics/answers/association-schemas.ts';
import {
  CustomEventItem,
  EventPropItem,
  JourneyItem,
  PagePropItem,
  RetentionItem,
} from '../../lib/analytics/answers/behaviour-schemas.ts';
import { EngagementItem, VitalsItem } from '../../lib/analytics/answers/measure-schemas.ts';
import {
  HeatmapCell,
  ListMeta,
  Live,
  Overview,
  PageItem,
  QualityItem,
  ReportMeta,
  TimeseriesPoint,
  ValueItem,
} from '../../lib/analytics/answers/schemas.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { annotationComponents, annotationRoutes } from './annotation-contract.ts';
import { batchComponents, batchRoutes } from './batch-contract.ts';
import { exportRoutes } from './export-contract.ts';
import { goalComponents, goalRoutes } from './goal-contract.ts';
import { privacyComponents, privacyRoutes } from './privacy-contract.ts';
import { reportRoutes } from './report-contract.ts';
import { shareComponents, shareRoutes } from './shared-report-contract.ts';

/** All routes below a site's `analytics/`, and the routes that read shares. */
export const routes: Contracts = {
  ...reportRoutes,
  ...batchRoutes,
  ...annotationRoutes,
  ...goalRoutes,
  ...shareRoutes,
  ...exportRoutes,
  ...privacyRoutes,
};

export const components = {
  Overview,
  TimeseriesPoint,
  HeatmapCell,
  PageItem,
  QualityItem,
  ValueItem,
  Live,
  ReportMeta,
  ListMeta,
  AssociationItem,
  EngagementItem,
  VitalsItem,
  CustomEventItem,
  EventPropItem,
  PagePropItem,
  JourneyItem,
  RetentionItem,
  ...batchComponents,
  ...annotationComponents,
  ...goalComponents,
  ...shareComponents,
  ...privacyComponents,
};
