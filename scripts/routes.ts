/** `node scripts/routes.ts [--check]`: writes the gateway's dispatch table, or checks that it is up to date. */
import { join } from 'node:path';
import { ROOT, readDeployment } from '../tooling/deployment.ts';
import { writeGenerated } from '../tooling/write-generated.ts';
import { planGatewayRoutes, renderGatewayRoutes } from './routes/gateway-routes.ts';

await writeGenerated(
  join(ROOT, 'functions/gateway/routes.generated.ts'),
  renderGatewayRoutes(planGatewayRoutes(readDeployment())),
);
