import { reportNamed } from '../../lib/analytics/reports.ts';
import { createAnnotation, deleteAnnotation, listAnnotations } from '../../lib/annotations/annotations.ts';
import { resealTargets } from '../../lib/collection/seal-visits.ts';
import type { MemberActor, Ports } from '../../lib/context.ts';
import { exportReport } from '../../lib/export/export-report.ts';
import { changeFunnel, createFunnel, deleteFunnel, listFunnels } from '../../lib/goals/funnel-definitions.ts';
import { changeGoal, createGoal, deleteGoal, listGoals } from '../../lib/goals/goal-definitions.ts';
import { addRoutes, data } from '../../lib/http/add-routes.ts';
import { afterwards } from '../../lib/http/afterwards.ts';
import { createApp } from '../../lib/http/app.ts';
import type { Passed } from '../../lib/http/doors.ts';
import { causesOf, type Log, logToConsole } from '../../lib/http/log.ts';
import { streamText } from '../../lib/http/stream-text.ts';
import { reportPrivacy } from '../../lib/privacy-report/report-privacy.ts';
import { annotationRoutes } from './annotation-contract.ts';
import { answerBatch } from './answer-batch.ts';
import { batchRoutes } from './batch-contract.ts';
import { Env } from './env.ts';
import { exportRoutes } from './export-contract.ts';
import { goalRoutes } from './goal-contract.ts';
import { privacyRoutes } from './privacy-contract.ts';
import { REPORT_OF, reportRoutes } from './report-contract.ts';
import { createResources, members, type Resources } from './resources.ts';
import { addShareRoutes } from './shared-report-routes.ts';

/** A Worker may run for 30 s after its answer. The cron does the rest. */
const RESEALING_MS = 20_000;

/** Answers `{"data": ...}` and then seals past days again for the changed goals, so that their reports are as fast as the others. */
const dataThenReseal =
  <Ctx extends Ports, Input extends { siteId: string }, Result>(
    verb: (ctx: Ctx, input: Input) => Promise<Result>,
  ) =>
  async (ctx: Ctx, input: Input, c: Passed<Resources, MemberActor>): Promise<{ data: Result }> => {
    const result = await verb(ctx, input);
    const { siteId } = input;
    const sealing = { ...ctx, sql: c.var.resources.reportSql };
    afterwards(c, 'analytics', resealTargets(sealing, { siteId, timeMs: RESEALING_MS }));
    return { data: result };
  };

/** A site's reports and everything they need. The function `sites` forwards requests here, because it owns the paths around them. */
export function createAnalyticsApp({ log = logToConsole }: { log?: Log } = {}) {
  const app = createApp({ name: 'analytics', env: Env, log, resources: createResources });
  addRoutes(
    app,
    reportRoutes,
    members,
    Object.fromEntries(
      [...REPORT_OF].map(([operationId, name]) => [
        operationId,
        (ctx: ReturnType<typeof members.context>, input: object) =>
          reportNamed(name).answer(ctx, input as never),
      ]),
    ),
  );
  addRoutes(app, batchRoutes, members, { getReports: answerBatch });
  addRoutes(app, annotationRoutes, members, {
    listAnnotations: data(listAnnotations),
    createAnnotation: data(createAnnotation),
    deleteAnnotation,
  });
  addRoutes(app, goalRoutes, members, {
    listGoals: data(listGoals),
    createGoal: dataThenReseal(createGoal),
    changeGoal: dataThenReseal(changeGoal),
    deleteGoal,
    listFunnels: data(listFunnels),
    createFunnel: dataThenReseal(createFunnel),
    changeFunnel: dataThenReseal(changeFunnel),
    deleteFunnel,
  });
  addRoutes(app, privacyRoutes, members, { getPrivacyReport: data(reportPrivacy) });
  addRoutes(app, exportRoutes, members, {
    exportReport: async (ctx, input, c) => {
      const { contentType, name, text } = await exportReport(ctx, input);
      const { requestId } = c.var;
      const body = streamText(text, (cause) =>
        log({
          level: 'error',
          function: 'analytics',
          event: 'broken-export',
          requestId,
          causes: causesOf(cause),
        }),
      );
      c.header('Content-Type', contentType);
      c.header('Content-Disposition', `attachment; filename="${name}"`);
      return c.body(body);
    },
  });
  addShareRoutes(app);
  return app;
}
