/** The only file of this folder that names hono. */
export { Hono, type Context, type MiddlewareHandler } from 'hono'
export { bodyLimit } from 'hono/body-limit'
export { getCookie, setCookie } from 'hono/cookie'
export { secureHeaders } from 'hono/secure-headers'
export { streamSSE } from 'hono/streaming'
