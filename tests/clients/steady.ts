/** A backend under load: it sends numbered spans, one every few milliseconds, until its input ends. */
import { trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';

const sdk = new NodeSDK();
sdk.start();
const tracer = trace.getTracer('steady');
let sent = 0;
const sending = setInterval(() => {
  for (let i = 0; i < 10; i += 1) {
    tracer.startSpan('tick', { attributes: { number: sent } }).end();
    sent += 1;
  }
}, 50);
process.stdin.resume();
process.stdin.on('end', async () => {
  clearInterval(sending);
  await sdk.shutdown();
  process.stdout.write(String(sent));
});
