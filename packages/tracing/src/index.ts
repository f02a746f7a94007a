export {
  activeTraceparent,
  inSpan,
  startSpan,
  withinSpan,
  type Attributes,
  type Span,
  type SpanKind,
} from './span.ts';
export { startTracing, type TracingSettings } from './startTracing.ts';
