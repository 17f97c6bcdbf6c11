/** CPU time, memory and age of the process, by the names of OpenTelemetry. */
import type { Meter } from '@opentelemetry/api';

const MICROSECONDS = 1e6;

export function measureProcess(meter: Meter): void {
  meter
    .createObservableCounter('process.cpu.time', { unit: 's', description: 'CPU time of the process.' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe(user / MICROSECONDS, { 'cpu.mode': 'user' });
      result.observe(system / MICROSECONDS, { 'cpu.mode': 'system' });
    });
  meter
    .createObservableUpDownCounter('process.memory.usage', {
      unit: 'By',
      description: 'Memory of the process.',
    })
    .addCallback((result) => result.observe(process.memoryUsage.rss()));
  meter
    .createObservableGauge('process.uptime', { unit: 's', description: 'Age of the process.' })
    .addCallback((result) => result.observe(process.uptime()));
}
