/** Bundles the functions for `npm start`. */
import { readDeployment } from '../tooling/deployment.ts';
import { buildFunctions } from './build.ts';

await buildFunctions(readDeployment());
