/** Parts of paths that only libraries, platforms and extensions of browsers have. */
const LIBRARY_FILES =
  /node_modules[/\\]|site-packages[/\\]|dist-packages[/\\]|(?:^|[/\\])vendor[/\\]|[/\\]gems[/\\]|[/\\]lib[/\\](?:python|ruby)[\d/\\]|[/\\]pkg[/\\]mod[/\\]|^node:|^internal[/\\]|^<|[/\\]usr[/\\]local[/\\]go[/\\]src[/\\]|^(?:chrome|moz|safari-web|safari)-extension:|^(?:capability|resource|chrome):|\.(?:pnpm|yarn)[/\\]|^webpack[/\\]|webpack:\/\/[^/]*\/webpack\/|\[internal function\]/;

/** Packages of the JVM and namespaces of .NET that no application has, and the frameworks that are between it and a socket. */
const LIBRARY_NAMES = [
  ...[
    'java.',
    'javax.',
    'jdk.',
    'sun.',
    'com.sun.',
    'jakarta.',
    'kotlin.',
    'kotlinx.',
    'scala.',
    'groovy.',
    'clojure.',
    'akka.',
  ],
  ...[
    'org.springframework.',
    'org.apache.',
    'org.hibernate.',
    'org.eclipse.',
    'org.jboss.',
    'org.postgresql.',
    'org.slf4j.',
  ],
  ...[
    'org.junit.',
    'org.glassfish.',
    'io.netty.',
    'io.undertow.',
    'io.vertx.',
    'io.micronaut.',
    'io.quarkus.',
    'io.opentelemetry.',
  ],
  ...[
    'io.ktor.',
    'io.grpc.',
    'io.lettuce.',
    'reactor.',
    'rx.',
    'okhttp3.',
    'com.fasterxml.',
    'com.google.',
    'com.mysql.',
  ],
  ...[
    'com.zaxxer.',
    'com.microsoft.',
    'com.mongodb.',
    'com.amazonaws.',
    'software.amazon.',
    'ch.qos.logback.',
    'oracle.',
  ],
  ...[
    'System.',
    'Microsoft.',
    'Npgsql.',
    'MySql.',
    'MySqlConnector.',
    'Grpc.',
    'StackExchange.',
    'Newtonsoft.',
    'OpenTelemetry.',
  ],
];

export const isLibraryFile = (path: string): boolean => LIBRARY_FILES.test(path);

export const isLibraryName = (name: string): boolean => LIBRARY_NAMES.some((start) => name.startsWith(start));
