/** How the official exporters of each language send here. Commands and code are the same in every language of the page. */
export interface Target {
  endpoint: string;
  key: string;
}

const variables = ({ endpoint, key }: Target, space = ' '): string => `export OTEL_SERVICE_NAME=my-service
export OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_HEADERS='authorization=Bearer${space}${key}'`;

const ALL_SIGNALS = `export OTEL_TRACES_EXPORTER=otlp
export OTEL_METRICS_EXPORTER=otlp
export OTEL_LOGS_EXPORTER=otlp`;

export const SNIPPETS: readonly { name: string; of: (target: Target) => string }[] = [
  {
    name: 'Node.js',
    of: (target) => `npm install @opentelemetry/api @opentelemetry/auto-instrumentations-node

${variables(target)}
${ALL_SIGNALS}
node --require @opentelemetry/auto-instrumentations-node/register app.js`,
  },
  {
    name: 'Python',
    of: (target) => `pip install opentelemetry-distro opentelemetry-exporter-otlp-proto-http
opentelemetry-bootstrap -a install

${variables(target, '%20')}
${ALL_SIGNALS}
opentelemetry-instrument python app.py`,
  },
  {
    name: 'Go',
    of: (target) => `${variables(target)}

go get go.opentelemetry.io/otel/sdk \\
  go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp

// main.go: the exporter reads the variables.
exporter, err := otlptracehttp.New(ctx)
if err != nil {
	log.Fatal(err)
}
provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter))
defer provider.Shutdown(ctx)
otel.SetTracerProvider(provider)`,
  },
  {
    name: 'Java',
    of: (
      target,
    ) => `curl -LO https://github.com/open-telemetry/opentelemetry-java-instrumentation/releases/latest/download/opentelemetry-javaagent.jar

${variables(target)}
java -javaagent:opentelemetry-javaagent.jar -jar app.jar`,
  },
  {
    name: '.NET',
    of: (target) => `dotnet add package OpenTelemetry.Extensions.Hosting
dotnet add package OpenTelemetry.Exporter.OpenTelemetryProtocol
dotnet add package OpenTelemetry.Instrumentation.AspNetCore

// Program.cs: the exporter reads the variables.
builder.Services.AddOpenTelemetry()
    .WithTracing(tracing => tracing.AddAspNetCoreInstrumentation())
    .WithMetrics(metrics => metrics.AddAspNetCoreInstrumentation())
    .WithLogging()
    .UseOtlpExporter();

${variables(target)}
dotnet run`,
  },
  {
    name: 'PHP',
    of: (target) => `pecl install opentelemetry
composer require open-telemetry/sdk open-telemetry/exporter-otlp php-http/guzzle7-adapter

${variables(target)}
export OTEL_PHP_AUTOLOAD_ENABLED=true
php -d extension=opentelemetry app.php`,
  },
  {
    name: 'Ruby',
    of: (
      target,
    ) => `bundle add opentelemetry-sdk opentelemetry-exporter-otlp opentelemetry-instrumentation-all

# At the start of the program:
require 'opentelemetry/sdk'
require 'opentelemetry/exporter/otlp'
require 'opentelemetry/instrumentation/all'
OpenTelemetry::SDK.configure { |config| config.use_all }

${variables(target)}
bundle exec ruby app.rb`,
  },
  {
    name: 'Collector',
    of: ({ endpoint, key }) => `exporters:
  otlphttp:
    endpoint: ${endpoint}
    headers:
      authorization: Bearer ${key}

service:
  pipelines:
    traces: { receivers: [otlp], processors: [batch], exporters: [otlphttp] }
    metrics: { receivers: [otlp], processors: [batch], exporters: [otlphttp] }
    logs: { receivers: [otlp], processors: [batch], exporters: [otlphttp] }`,
  },
];
