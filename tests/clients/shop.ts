/** A backend as its team would write it: it uses only the official SDK, configured by the standard variables. */
import { logs, metrics, SeverityNumber, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';

const sdk = new NodeSDK();
sdk.start();
await trace.getTracer('shop').startActiveSpan('POST /orders', { kind: SpanKind.SERVER }, async (order) => {
  await trace.getTracer('shop').startActiveSpan('charge card', { kind: SpanKind.CLIENT }, async (charge) => {
    logs.getLogger('shop').emit({
      severityNumber: SeverityNumber.ERROR,
      severityText: 'ERROR',
      body: 'card declined',
      attributes: { 'order.id': 7 },
    });
    charge.setAttributes({ 'payment.provider': 'acme', attempts: 2, retried: true, codes: ['51', '05'] });
    charge.addEvent('declined', { code: '51' });
    charge.setStatus({ code: SpanStatusCode.ERROR, message: 'card declined' });
    charge.end();
  });
  order.end();
});
const meter = metrics.getMeter('shop');
meter.createCounter('orders', { unit: '{order}' }).add(3, { plan: 'yearly' });
meter.createHistogram('order.value', { unit: 'EUR' }).record(12.5);
meter.createGauge('stock').record(40);
await sdk.shutdown();
