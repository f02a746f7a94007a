export {
  describeMetrics,
  type Counter,
  type Gauge,
  type Histogram,
  type MetricDescription,
} from './metric.ts';
export * from './metrics.ts';
export { openEndpoint } from './openEndpoint.ts';
export { addGauges, serveMetrics, type GaugeValues, type ReadGauges } from './serveMetrics.ts';
