// Sends the spans of Vitrine to a collector over OTLP: NODE_OPTIONS='--import FILE' VITRINE_TRACES=true bin/vitrine serve
// The address of the collector and headers for it come from the usual variables, OTEL_EXPORTER_OTLP_ENDPOINT and so on.
import { trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

const provider = new TracerProvider({
  resource: resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME ?? 'vitrine' }),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: 1_000 })],
})
trace.setGlobalTracerProvider(provider)
