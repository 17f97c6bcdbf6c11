/** Stacks as runtimes write them, with the code location that each must give. Paths and names are of a made-up shop. */
interface StackCase {
  name: string;
  stack: string;
  /** The function and the file. */
  location: string;
  cause?: string;
  isOwn?: false;
}

export const STACKS: StackCase[] = [
  {
    name: 'Node.js, ES module',
    stack: `TypeError: Cannot read properties of undefined (reading 'total')
    at chargeCard (file:///srv/shop/src/orders/charge-card.js:42:17)
    at async sendOrder (file:///srv/shop/src/orders/send-order.js:18:5)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)`,
    location: 'chargeCard · src/orders/charge-card.js',
  },
  {
    name: 'Node.js, CommonJS, thrown in a library',
    stack: `Error: connect ECONNREFUSED 127.0.0.1:5432
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)
    at /srv/shop/node_modules/pg-pool/index.js:45:11
    at async OrderStore.load (/srv/shop/dist/order-store.js:88:20)
    at async Object.<anonymous> (/srv/shop/dist/routes.js:12:3)`,
    location: 'OrderStore.load · shop/dist/order-store.js',
  },
  {
    name: 'Node.js, only async frames of the application',
    stack: `Error: out of stock
    at new Basket (/app/src/basket.ts:7:11)
    at Object.addToBasket [as add] (/app/src/basket.ts:30:10)`,
    location: 'Basket · app/src/basket.ts',
  },
  {
    name: 'Node.js, a function without a name',
    stack: `Error: boom
    at /app/src/routes/orders.ts:31:11
    at Layer.handle [as handle_request] (/app/node_modules/express/lib/router/layer.js:95:5)`,
    location: 'src/routes/orders.ts',
  },
  {
    name: 'Node.js, without a frame of the application',
    stack: `Error: socket hang up
    at Socket.socketOnEnd (node:_http_client:524:23)
    at Socket.emit (node:events:530:35)`,
    location: 'Socket.socketOnEnd · node:_http_client',
    isOwn: false,
  },
  {
    name: 'Node.js, bundled and minified',
    stack: `TypeError: e is not a function
    at t (/var/task/dist/index-BZx81kQe.js:1:18231)
    at Xa (/var/task/dist/index-BZx81kQe.js:1:9031)`,
    location: 'task/dist/index-*.js',
  },
  {
    name: 'Next.js',
    stack: `Error: no such order
    at OrderPage (webpack-internal:///(rsc)/./app/orders/[id]/page.tsx:12:11)
    at stringify (<anonymous>)`,
    location: 'OrderPage · orders/[id]/page.tsx',
  },
  {
    name: 'Chrome, a hashed chunk',
    stack: `Uncaught TypeError: Failed to fetch
    at submitOrder (https://shop.example/assets/cart-3f2a9c1b.js:3:2811)
    at HTMLButtonElement.<anonymous> (https://shop.example/assets/cart-3f2a9c1b.js:3:3010)`,
    location: 'submitOrder · assets/cart-*.js',
  },
  {
    name: 'Chrome, an extension above the page',
    stack: `TypeError: x
    at inject (chrome-extension://abcdefghijklmnop/content.js:1:1)
    at submitOrder (https://shop.example/app.js?v=3:3:2811)`,
    location: 'submitOrder · app.js',
  },
  {
    name: 'Firefox',
    stack: `submitOrder@https://shop.example/static/js/cart.js:12:9
async*onClick@https://shop.example/static/js/cart.js:40:3
EventListener.handleEvent*@https://shop.example/static/js/cart.js:44:1`,
    location: 'submitOrder · static/js/cart.js',
  },
  {
    name: 'Firefox, a function in a function',
    stack: `submit/<@https://shop.example/static/js/cart.js:12:9
@https://shop.example/static/js/cart.js:40:3`,
    location: 'submit · static/js/cart.js',
  },
  {
    name: 'Safari',
    stack: `[native code]
submitOrder@https://shop.example/static/js/cart.js:12:19
module code@https://shop.example/static/js/cart.js:40:3`,
    location: 'submitOrder · static/js/cart.js',
  },
  {
    name: 'Safari, a module without a function',
    stack: `module code@https://shop.example/static/js/cart.js:40:3
evaluate@[native code]`,
    location: 'static/js/cart.js',
  },
  {
    name: 'Python',
    stack: `Traceback (most recent call last):
  File "/usr/lib/python3.12/site-packages/flask/app.py", line 880, in full_dispatch_request
    rv = self.dispatch_request()
         ^^^^^^^^^^^^^^^^^^^^^^^
  File "/srv/shop/orders/views.py", line 31, in create
    charge(order)
  File "/srv/shop/orders/charge.py", line 12, in charge
    return gateway.charge(order.total)
  File "/usr/lib/python3.12/site-packages/gateway/client.py", line 90, in charge
    raise CardDeclined(card)
gateway.errors.CardDeclined: card 4242 declined`,
    location: 'charge · shop/orders/charge.py',
  },
  {
    name: 'Python, with a direct cause',
    stack: `Traceback (most recent call last):
  File "/srv/shop/orders/store.py", line 55, in load
    row = rows[0]
IndexError: list index out of range

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/srv/shop/orders/views.py", line 14, in show
    order = load(order_id)
  File "/srv/shop/orders/store.py", line 57, in load
    raise OrderMissing(order_id) from fault
orders.store.OrderMissing: 4711`,
    location: 'load · shop/orders/store.py',
    cause: 'IndexError',
  },
  {
    name: 'Python, another exception while one was handled',
    stack: `Traceback (most recent call last):
  File "/srv/shop/orders/store.py", line 55, in load
    row = rows[0]
KeyError: 'id'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/shop/orders/report.py", line 9, in report_fault
    logger.warn(mesage)
NameError: name 'mesage' is not defined`,
    location: 'report_fault · shop/orders/report.py',
  },
  {
    name: 'Java, with causes',
    stack: `com.shop.orders.OrderException: could not send order 4711
	at com.shop.orders.OrderService.send(OrderService.java:42)
	at com.shop.orders.OrderController.create(OrderController.java:18)
	at java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)
	at org.springframework.web.method.support.InvocableHandlerMethod.doInvoke(InvocableHandlerMethod.java:255) ~[spring-web-6.1.jar:6.1]
	Suppressed: java.io.IOException: stream closed
		at com.shop.orders.Stream.close(Stream.java:9)
Caused by: org.postgresql.util.PSQLException: ERROR: duplicate key value violates unique constraint "orders_pkey"
	at org.postgresql.core.v3.QueryExecutorImpl.receiveErrorResponse(QueryExecutorImpl.java:2725)
	at com.zaxxer.hikari.pool.ProxyPreparedStatement.executeUpdate(ProxyPreparedStatement.java:61)
	at com.shop.orders.OrderRepository.save(OrderRepository.java:77)
	... 52 more`,
    location: 'com.shop.orders.OrderRepository.save',
    cause: 'org.postgresql.util.PSQLException',
  },
  {
    name: 'Java, lambdas and proxies',
    stack: `java.lang.IllegalStateException: x
	at com.shop.Orders$$SpringCGLIB$$0.lambda$pay$3(Orders.java:9)
	at java.base/java.util.stream.ForEachOps$ForEachOp$OfRef.accept(ForEachOps.java:184)`,
    location: 'com.shop.Orders.lambda$pay',
  },
  {
    name: 'Kotlin',
    stack: `kotlin.UninitializedPropertyAccessException: lateinit property x has not been initialized
	at com.shop.Cart.total(Cart.kt:12)
	at io.ktor.server.routing.Routing.executeResult(Routing.kt:154)`,
    location: 'com.shop.Cart.total',
  },
  {
    name: 'Go, a panic',
    stack: `goroutine 34 [running]:
runtime/debug.Stack()
	/usr/local/go/src/runtime/debug/stack.go:24 +0x5e
main.recovered.func1()
	/srv/shop/middleware.go:20 +0x35
panic({0x6f2b40?, 0x8a1f90?})
	/usr/local/go/src/runtime/panic.go:770 +0x132
github.com/acme/shop/internal/orders.(*Service).Pay(0xc0000b2000, {0xc00001a0c0, 0x1, 0x1})
	/srv/shop/internal/orders/service.go:42 +0x1d
main.main.func2()
	/srv/shop/main.go:17 +0x25
created by main.main in goroutine 1
	/srv/shop/main.go:15 +0x8a

goroutine 1 [chan receive]:
main.wait()
	/srv/shop/main.go:31 +0x85`,
    location: 'github.com/acme/shop/internal/orders.(*Service).Pay',
  },
  {
    name: 'Go, recorded by OpenTelemetry',
    stack: `goroutine 21 [running]:
go.opentelemetry.io/otel/sdk/trace.recordStackTrace()
	/go/pkg/mod/go.opentelemetry.io/otel/sdk@v1.28.0/trace/span.go:522 +0x31
go.opentelemetry.io/otel/sdk/trace.(*recordingSpan).RecordError(0xc0001a2000, {0x9b3c20, 0xc00018e0a0})
	/go/pkg/mod/go.opentelemetry.io/otel/sdk@v1.28.0/trace/span.go:437 +0x2b5
main.checkout.func1({0x9b5e88, 0xc0001280e0})
	/srv/shop/checkout.go:61 +0x1f`,
    location: 'main.checkout.func',
  },
  {
    name: '.NET, with an inner exception',
    stack: `Shop.Orders.OrderException: Could not send the order 4711
 ---> Npgsql.PostgresException (0x80004005): 23505: duplicate key value violates unique constraint "orders_pkey"
   at Npgsql.Internal.NpgsqlConnector.ReadMessageLong(Boolean async)
   at Shop.Orders.OrderStore.<SaveAsync>d__12.MoveNext() in /src/Orders/OrderStore.cs:line 77
   --- End of inner exception stack trace ---
   at Shop.Orders.OrderService.SendAsync(Order order) in /src/Orders/OrderService.cs:line 42
   at Microsoft.AspNetCore.Routing.EndpointMiddleware.Invoke(HttpContext httpContext)`,
    location: 'Shop.Orders.OrderStore.SaveAsync',
    cause: 'Npgsql.PostgresException',
  },
  {
    name: '.NET, a lambda',
    stack: `System.InvalidOperationException: Sequence contains no elements
   at System.Linq.ThrowHelper.ThrowNoElementsException()
   at Shop.Cart.<>c__DisplayClass5_0.<Total>b__1(Item item) in /src/Cart.cs:line 12`,
    location: 'Shop.Cart.Total',
  },
  {
    name: 'Ruby',
    stack: `/usr/local/bundle/gems/activerecord-7.1.3/lib/active_record/core.rb:253:in \`find'
	from /app/app/models/order.rb:12:in \`block in pay'
	from /app/app/controllers/orders_controller.rb:8:in \`create'`,
    location: 'pay · app/models/order.rb',
  },
  {
    name: 'Ruby 3.4',
    stack: `/app/app/models/order.rb:12:in 'Order#pay': out of stock (Shop::OutOfStock)
	from /app/app/controllers/orders_controller.rb:8:in 'OrdersController#create'`,
    location: 'OrdersController#create · app/controllers/orders_controller.rb',
  },
  {
    name: 'PHP',
    stack: `#0 /app/vendor/guzzlehttp/guzzle/src/Client.php(189): GuzzleHttp\\Client->request('GET', 'https://pay.exa...')
#1 /app/src/Orders/Payment.php(31): GuzzleHttp\\Client->get('https://pay.exa...')
#2 /app/src/Orders/Checkout.php(12): App\\Orders\\Payment->charge(Object(App\\Order))
#3 {main}`,
    location: 'App\\Orders\\Payment->charge · src/Orders/Payment.php',
  },
];
