import '@vendor/sdk-node/register';
import { start } from '@vendor/sdk-node';

globalThis.flushTelemetry = () => start().flush();
