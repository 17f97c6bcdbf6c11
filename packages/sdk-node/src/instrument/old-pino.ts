/** Log records of pino before 9.10, which tells nobody of its lines: the application's loggers get a second stream. */
import type { InstrumentationNodeModuleDefinition } from '@opentelemetry/instrumentation';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';

/** Later ones have the channel of `pino-channel.ts`; with both, each record would be sent twice. */
const WITHOUT_CHANNEL = '>=5.14.0 <9.10.0';

export class OldPino extends PinoInstrumentation {
  constructor() {
    // The application's own lines stay as they are.
    super({ disableLogCorrelation: true });
  }

  override init(): InstrumentationNodeModuleDefinition[] {
    return super
      .init()
      .map((definition) => Object.assign(definition, { supportedVersions: [WITHOUT_CHANNEL] }));
  }
}
