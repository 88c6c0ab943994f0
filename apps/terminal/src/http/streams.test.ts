/** Limits of streams, which stay open as long as a screen watches: further callers are told when to try again. */
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { serveViewers } from '../camera/viewers.ts'
import { serveEvents } from './events.ts'

test.each(['/events', '/camera'])('%s beyond its screens answers 429 and says when to ask again', async (path) => {
  const server = fastify()
  const events = serveEvents(server, { first: () => [['settings', {}]] })
  const viewers = serveViewers(server, { isLive: () => true })
  const url = (await server.listen({ port: 0, host: '127.0.0.1' })) + path
  const leave = new AbortController()
  onTestFinished(async () => {
    leave.abort()
    events.close()
    viewers.clear()
    await server.close()
  })
  const open = () => fetch(url, { signal: leave.signal })
  let answer = await open()
  for (let screens = 1; answer.status === 200 && screens < 100; screens++) answer = await open()
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
})
