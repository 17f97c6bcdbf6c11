/** `node scripts/routes.ts [--check]`: writes the gateway's dispatch table, or tells whether it is up to date. */
import { join } from 'node:path';
import { ROOT, readDeployment } from './lib/deployment.ts';
import { planGatewayRoutes, renderGatewayRoutes } from './lib/gateway-routes.ts';
import { writeGenerated } from './lib/generated.ts';

await writeGenerated(
  join(ROOT, 'functions/gateway/routes.generated.ts'),
  renderGatewayRoutes(planGatewayRoutes(readDeployment())),
);
