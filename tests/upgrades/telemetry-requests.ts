const QUANTILES = [0.5, 0.9, 0.95, 0.99].map((quantile) => ({ quantile, value: quantile / 20 }));

/** An OTLP request with a point of each type of metric, as a backend sends it every minute. */
export function metricsRequest(now: number): object {
  const timeUnixNano = `${now}000000`;
  const startTimeUnixNano = `${now - (now % 3_600_000)}000000`;
  const minute = Math.floor(now / 60_000) % 60;
  const at = {
    timeUnixNano,
    startTimeUnixNano,
    attributes: [{ key: 'http.route', value: { stringValue: '/cart' } }],
  };
  return {
    resourceMetrics: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'warehouse' } }] },
        scopeMetrics: [
          {
            scope: { name: 'warehouse' },
            metrics: [
              { name: 'stock', gauge: { dataPoints: [{ ...at, asInt: String(100 - Math.floor(minute)) }] } },
              {
                name: 'orders',
                sum: {
                  ...{ aggregationTemporality: 2, isMonotonic: true },
                  dataPoints: [{ ...at, asInt: String(Math.floor(minute) * 3) }],
                },
              },
              {
                name: 'http.server.request.duration',
                histogram: {
                  aggregationTemporality: 1,
                  dataPoints: [
                    {
                      ...at,
                      ...{ count: '6', sum: 0.9 + minute / 100, min: 0.01, max: 0.7 },
                      ...{ explicitBounds: [0.05, 0.1, 0.5], bucketCounts: ['1', '2', '2', '1'] },
                    },
                  ],
                },
              },
              {
                name: 'pick.duration',
                exponentialHistogram: {
                  aggregationTemporality: 1,
                  dataPoints: [
                    {
                      ...at,
                      count: '5',
                      sum: 9,
                      scale: 2,
                      zeroCount: '1',
                      positive: { offset: 3, bucketCounts: ['2', '1', '1'] },
                    },
                  ],
                },
              },
              {
                name: 'gc.pause',
                summary: {
                  dataPoints: [{ ...at, count: '4', sum: 0.2, quantileValues: QUANTILES }],
                },
              },
            ],
          },
        ],
      },
    ],
  };
}

/** An OTLP request with a call from one service to another. */
export function tracesRequest(now: number): object {
  const traceId = crypto.randomUUID().replaceAll('-', '');
  const [client = '', server = ''] = [traceId.slice(0, 16), traceId.slice(16)];
  const resourceSpans = [
    { service: 'basket', span: { spanId: client, name: 'POST /pick', kind: 3 }, ms: 80 },
    {
      service: 'warehouse',
      span: { spanId: server, parentSpanId: client, name: 'POST /pick', kind: 2 },
      ms: 60,
    },
  ].map(({ service, span, ms }) => ({
    resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
    scopeSpans: [
      {
        spans: [
          { traceId, ...span, startTimeUnixNano: `${now}000000`, endTimeUnixNano: `${now + ms}000000` },
        ],
      },
    ],
  }));
  return { resourceSpans };
}
